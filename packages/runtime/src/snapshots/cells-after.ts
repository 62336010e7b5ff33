import type { Language } from "@artificer/protocol";
import type { Journal } from "../journal/journal.js";

/** The numbers of the cells that a journal has beyond `cell`, in one language. */
export async function cellsAfter(journal: Journal, language: Language, cell: number): Promise<number[]> {
  const found: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await journal.read(cursor === undefined ? {} : { cursor });
    for (const entry of page.items)
      if (entry.kind === "cell" && entry.cell > cell && entry.data.language === language) found.push(entry.cell);
    cursor = page.cursor;
    if (cursor === undefined) return [...new Set(found)];
  }
}
