import { ArtificerError } from "@artificer/protocol";
import type { CliOutput } from "./definition.js";
import { parseCsv } from "./parse-csv.js";

const maxShownChars = 2000;

/**
 * What a tool returns, made of a program's output. Text that isn't UTF-8 keeps its readable parts, with U+FFFD for the rest;
 * only `bytes` is exact.
 *
 * @throws ArtificerError `tool/output-unparsable` with the line and the beginning of the output.
 */
export function parseOutput(bytes: Uint8Array, output: CliOutput, path: string): unknown {
  if (output === "bytes") return bytes;
  const text = new TextDecoder("utf-8").decode(bytes);
  try {
    switch (output) {
      case "text":
        return text;
      case "lines":
        return splitLines(text);
      case "json":
        return JSON.parse(text);
      case "jsonl":
        return parseJsonLines(text);
      case "csv":
        return parseCsv(text);
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ArtificerError("tool/output-unparsable", `${path}: the program's output is not ${output}: ${problem}`, {
      details: { tool: path, output, problem, stdout: text.slice(0, maxShownChars), stdoutBytes: bytes.byteLength },
      hint: "Set `output: text` in the tool's definition to get it as it is, or make the program write what is expected.",
    });
  }
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function parseJsonLines(text: string): unknown[] {
  return splitLines(text).flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}
