import { joinPrepared } from "./cell-header.js";
import { prepareSource } from "./prepare-source.js";

/** A cell ready for the wire. */
export interface PreparedCell {
  /** What goes into `cell.run` as its code: plain JavaScript with a header line for the kernel. */
  js: string;
  /** Top-level names that the cell binds or assigns, as far as reading it tells. */
  names: string[];
}

/**
 * Turns a TypeScript cell into the plain JavaScript that the kernel runs. Types become spaces, so lines and columns stay the
 * user's own. A source that does not parse is prepared too: the kernel then answers with the syntax error as an outcome.
 */
export function prepareCell(code: string): PreparedCell {
  const { header, body } = prepareSource(code, "cell");
  return { js: joinPrepared(header, body), names: header.names ?? [] };
}
