import type { OutputChunk } from "../../src/index.js";

/**
 * The first line that a cell prints, once it is whole: a write may arrive in pieces, and a print is two.
 * `hear` is the cell's `onOutput`.
 */
export function hearLine(): { hear: (chunk: Pick<OutputChunk, "text">) => void; line: Promise<string> } {
  let heard = "";
  let tell: (line: string) => void = () => {};
  const line = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const hear = ({ text }: Pick<OutputChunk, "text">) => {
    heard += text;
    const end = heard.indexOf("\n");
    if (end >= 0) tell(heard.slice(0, end));
  };
  return { hear, line };
}
