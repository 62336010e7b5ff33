import type { CellHeader, ColumnShift } from "../prepare/cell-header.js";
import { bridgeName } from "../prepare/emit-constructs.js";

/** The scripts that a prepared cell becomes. */
export interface CellScripts {
  /** What has to be there before the body begins: imported names, `var`s, functions. Absent when there is none of it. */
  before?: string;
  /** Where columns of `before` differ from those of the body. */
  shifts: ColumnShift[];
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
  if (hoisted.length === 0) return { ...(declared === "" ? {} : { before: declared }), body, shifts: [] };
  const shifts: ColumnShift[] = [];
  let before = "";
  let rest = "";
  let last = 0;
  for (const [start, end, name] of hoisted) {
    const gap = body.slice(last, start);
    // The `;` after the function before stands in the gap's first place.
    const blank = blanked(last === 0 || /^[\n\r]/.test(gap) ? gap : gap.slice(1));
    const bind = `let ${name}=`;
    const lineEnd = blank.lastIndexOf("\n");
    if (lineEnd >= 0) {
      // At the end of a line before the function, it moves nothing.
      before += `${blank.slice(0, lineEnd)}${bind}${blank.slice(lineEnd)}`;
    } else {
      before += blank.slice(0, Math.max(0, blank.length - bind.length)) + bind;
      const column = before.length - before.lastIndexOf("\n");
      const by = Math.max(0, bind.length - blank.length) + (last > 0 && gap === "" ? 1 : 0);
      if (by > 0) shifts.push({ line: before.split("\n").length, column, by });
    }
    before += `${body.slice(start, end)};`;
    rest += `${gap};${blanked(body.slice(start, end)).slice(1)}`;
    last = end;
  }
  return { before: `${before}${declared}`, body: rest + body.slice(last), shifts };
}

function blanked(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}
