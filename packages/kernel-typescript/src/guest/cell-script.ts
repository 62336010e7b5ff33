import type { CellHeader } from "../prepare/cell-header.js";
import { bridgeName } from "../prepare/emit-constructs.js";

/** The scripts that a prepared cell becomes. */
export interface CellScripts {
  /** What has to be there before the body begins: imported names, `var`s, functions. Absent when there is none of it. */
  before?: string;
  body: string;
}

/**
 * Splits a prepared cell. Functions stay at their own line and column in the script that comes first; in the body they are
 * blank. `imported` are local names whose values wait in the bridge; `vars` are those not bound yet.
 */
export function cellScripts(
  header: CellHeader,
  body: string,
  imported: readonly string[],
  vars: readonly string[],
): CellScripts {
  const hoisted = header.hoisted ?? [];
  const bindings = [...vars, ...imported.map((name, index) => `${name}=${bridgeName}.bound[${index}]`)];
  const declared = bindings.length === 0 ? "" : `let ${bindings.join(",")};`;
  if (hoisted.length === 0) return declared === "" ? { body } : { before: declared, body };
  let before = "";
  let rest = "";
  let last = 0;
  for (const [start, end, name] of hoisted) {
    const gap = body.slice(last, start);
    // The binding goes in front of the line ends before the function, where it moves no column.
    const blank = blanked(gap);
    const lineEnd = blank.lastIndexOf("\n");
    before +=
      lineEnd < 0
        ? `${overwriteEnd(blank, `let ${name}=`)}`
        : `${blank.slice(0, lineEnd)}let ${name}=${blank.slice(lineEnd)}`;
    before += `${body.slice(start, end)};`;
    rest += `${gap};${blanked(body.slice(start, end)).slice(1)}`;
    last = end;
  }
  return { before: `${before}${declared}`, body: rest + body.slice(last) };
}

function blanked(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}

/** Puts words at the end of blanks, moving what follows no further than it must. */
function overwriteEnd(blank: string, words: string): string {
  return blank.length >= words.length ? blank.slice(0, blank.length - words.length) + words : words;
}
