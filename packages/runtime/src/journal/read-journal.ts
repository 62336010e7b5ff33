import { ArtificerError, type JsonObject, type Page, pageLimit, type RecordStore } from "@artificer/protocol";
import type { JournalEntry } from "./journal.js";

/** Records read at once; each holds a batch of entries. */
const recordsPerPage = 50;

export interface ReadRequest {
  prefix: string;
  cursor?: string;
  limit?: number;
  signal?: AbortSignal;
}

/** A page of entries out of pages of records. The cursor names a page of records and how many of its entries were given: batches only grow at the end. */
export async function readJournal(records: RecordStore, request: ReadRequest): Promise<Page<JournalEntry>> {
  const { prefix, signal } = request;
  const limit = pageLimit(request);
  let { page: cursor, skip } = parseCursor(request.cursor);
  const items: JournalEntry[] = [];
  for (;;) {
    const page = await records.list(prefix, { limit: recordsPerPage, cursor, signal });
    const entries = page.items.flatMap(({ value }) => batchEntries(value));
    const given = entries.slice(skip, skip + limit - items.length);
    items.push(...given);
    skip += given.length;
    if (skip < entries.length) return { items, cursor: writeCursor({ page: cursor, skip }) };
    if (page.cursor === undefined) return { items };
    if (items.length === limit) return { items, cursor: writeCursor({ page: page.cursor, skip: 0 }) };
    cursor = page.cursor;
    skip = 0;
  }
}

/** The number of the entry that comes after all that are written. */
export async function nextSeq(records: RecordStore, prefix: string): Promise<number> {
  let next = 1;
  for (let cursor: string | undefined; ; ) {
    const page = await records.list(prefix, { cursor });
    for (const { value } of page.items.slice(-1)) next = (batchEntries(value).at(-1)?.seq ?? next - 1) + 1;
    cursor = page.cursor;
    if (cursor === undefined) return next;
  }
}

function batchEntries(value: JsonObject): JournalEntry[] {
  const entries = Array.isArray(value.entries) ? value.entries : [];
  return (entries as unknown as JournalEntry[]).map((entry) => ({ ...entry, at: new Date(entry.at) }));
}

interface Position {
  page?: string;
  skip: number;
}

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function parseCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return { skip: 0 };
  try {
    const position = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Position;
    if (Number.isInteger(position.skip) && (position.page === undefined || typeof position.page === "string"))
      return position;
  } catch {
    // Told below, as any other cursor that is none.
  }
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(cursor)} is no cursor of a journal.`, {
    hint: "Pass the cursor of the page before, unchanged.",
  });
}
