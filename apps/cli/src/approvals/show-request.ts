import { stripVTControlCharacters } from "node:util";
import type { ApprovalRequest } from "artificer";

const maxArgsChars = 4_000;

/** A request as a person at a terminal reads it. Nothing in it can steer the terminal. */
export function showRequest(request: ApprovalRequest): string {
  const { tool, effect, cell, reason, args, code, line, callsSoFar, asksSoFar, timeoutMs } = request;
  const what = tool === undefined ? `Cell ${cell} wants to run` : `Cell ${cell} wants to call ${tool} (${effect})`;
  const text = args === undefined ? "" : JSON.stringify(args, null, 2);
  const shown = text.length > maxArgsChars ? `${text.slice(0, maxArgsChars)}… (${text.length} characters)` : text;
  const lines = [
    `\n${what}: ${reason}.`,
    ...(shown === "" ? [] : [indented(plain(shown))]),
    ...(code === undefined
      ? []
      : [`${line === undefined ? "The code" : `Around line ${line}`}:`, indented(plain(code))]),
    `(${callsSoFar} calls of this cell before; asked ${asksSoFar} times before; waits ${Math.round(timeoutMs / 1000)} s)`,
  ];
  return `${lines.join("\n")}\n`;
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, "�");
}

function indented(text: string): string {
  return text.replace(/^/gm, "    ");
}
