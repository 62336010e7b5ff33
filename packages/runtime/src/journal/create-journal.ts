import {
  ArtificerError,
  type JsonObject,
  type JsonValue,
  type Storage,
  storageKey,
  toArtificerError,
} from "@artificer/protocol";
import type { Journal, JournalDraft, JournalEntry } from "./journal.js";
import { journalData } from "./journal-data.js";
import { nextSeq, readJournal } from "./read-journal.js";

export interface JournalOptions {
  storage: Storage;
  /** The session's id; a valid segment of a key. */
  session: string;
  /** Told once when entries can't be written, and again only after it went well in between. */
  onProblem?: (problem: ArtificerError) => void;
  /** How long an entry may wait for others to be written with, in milliseconds. Default 100. */
  delayMs?: number;
  /** Entries held in memory at most while they can't be written; further ones are counted and left out. Default 10,000. */
  maxHeld?: number;
  /** Written entries kept at most, about: the oldest go. Default 10,000 in a storage that does not outlive the process, else all. */
  maxStored?: number;
}

/** What a process keeps of a journal that ends with it. */
const maxStoredInMemory = 10_000;

/** Entries, and about how much text, of one record at most: small enough that making it is no pause for anybody. */
const batchSize = 256;
const batchText = 256 * 1024;
const firstRetryMs = 1000;
const lastRetryMs = 60_000;

/** Text held at most while it can't be written, in UTF-16 units. */
const maxHeldText = 16 * 1024 * 1024;

type Held = { at: number; text: number } & ({ draft: JournalDraft } | { lost: number });

/**
 * A journal in records under `journal/SESSION/`, a batch of entries each, named by the first one's number.
 *
 * @throws ArtificerError `storage/invalid-key` for a session id that can't be part of a key.
 */
export function createJournal(options: JournalOptions): Journal {
  const { storage, session, onProblem, delayMs = 100, maxHeld = 10_000 } = options;
  const { maxStored = storage.capabilities.durable ? Number.POSITIVE_INFINITY : maxStoredInMemory } = options;
  const prefix = journalPrefix(session);
  const held: Held[] = [];
  let heldText = 0;
  let next: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;
  /** How many of those held are on their way. */
  let sending = 0;
  let failures = 0;
  let closed = false;
  /** Records written here, oldest first, when there is a bound on them. */
  const stored: { key: string; entries: number }[] = [];
  let storedEntries = 0;

  const trim = async (key: string, entries: number) => {
    if (maxStored === Number.POSITIVE_INFINITY) return;
    stored.push({ key, entries });
    storedEntries += entries;
    while (storedEntries > maxStored && stored.length > 1) {
      const oldest = stored.shift()!;
      storedEntries -= oldest.entries;
      // One that stays costs space alone.
      await storage.records.delete(oldest.key).catch(() => false);
    }
  };

  const schedule = (afterMs: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void drain();
    }, afterMs).unref();
  };

  const writeBatch = async () => {
    const batch = firstBatch(held);
    sending = batch.length;
    // Another opening of the session may have written meanwhile: then the end is elsewhere.
    for (let attempt = 0; ; attempt++) {
      next ??= await nextSeq(storage.records, prefix);
      const first = next;
      const entries = batch.map((item, index) => entryJson(item, first + index));
      const key = prefix + String(first).padStart(12, "0");
      try {
        await storage.records.put(key, { entries }, { ifRevision: null });
        next = first + batch.length;
        for (const item of held.splice(0, batch.length)) heldText -= item.text;
        sending = 0;
        await trim(key, batch.length);
        return;
      } catch (error) {
        next = undefined;
        if (!ArtificerError.is(error, "storage/conflict") || attempt === 20) throw error;
      }
    }
  };

  /** Writes what is held. @returns whether all of it was. */
  const drain = (): Promise<boolean> => {
    if (held.length === 0) return Promise.resolve(true);
    writing ??= (async () => {
      try {
        while (held.length > 0) await writeBatch();
        failures = 0;
        return true;
      } catch (error) {
        if (failures++ === 0) tell(error);
        if (!closed) schedule(Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs));
        return false;
      } finally {
        sending = 0;
        writing = undefined;
      }
    })();
    return writing;
  };

  const tell = (cause: unknown) => {
    const { message, hint, details } = toArtificerError(cause, "storage/unavailable");
    const code = ArtificerError.is(cause) ? cause.code : "storage/unavailable";
    try {
      onProblem?.(
        new ArtificerError(code, `The journal of session ${session} can't be written: ${message}`, {
          details: { ...details, session, held: held.length },
          hint: hint ?? "Cells go on; entries are kept in memory and written when the storage can be written again.",
          cause,
        }),
      );
    } catch {
      // Whoever listens can't break the session either.
    }
  };

  const flush = async () => {
    // What was appended while a batch was being written needs another round.
    while (held.length > 0) if (!(await drain())) return;
    await writing;
  };

  return {
    append(draft) {
      if (closed) return;
      const text = textLength(draft);
      const last = held.at(-1);
      if (held.length < maxHeld && heldText + text <= maxHeldText) {
        held.push({ at: Date.now(), text, draft: kept(draft) });
        heldText += text;
      } else if (last !== undefined && "lost" in last && held.length > sending) last.lost++;
      else held.push({ at: Date.now(), text: 0, lost: 1 });
      if (failures === 0) schedule(delayMs);
    },
    async read(request = {}) {
      await flush();
      return readJournal(storage.records, { ...request, prefix });
    },
    flush,
    async close() {
      closed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}

function journalPrefix(session: string): string {
  const key = storageKey(session);
  if (!key.includes("/")) return `journal/${key}/`;
  throw new ArtificerError(
    "storage/invalid-key",
    `${JSON.stringify(session)} can't be a session's id: it has a slash.`,
    {
      details: { session },
    },
  );
}

/** What is held until it is written: a call's record goes on changing, and an outcome's value and pictures are not written at all. */
function kept(draft: JournalDraft): JournalDraft {
  if (draft.kind === "tool-call") return { ...draft, call: { ...draft.call } };
  if (draft.kind === "cell") return draft;
  const displays = draft.outcome.displays.map(({ data }) => ({
    data: Object.fromEntries(Object.keys(data).map((type) => [type, ""])),
    metadata: {},
  }));
  return { ...draft, outcome: { ...draft.outcome, value: undefined, output: [], background: [], displays } };
}

function textLength(draft: JournalDraft): number {
  if (draft.kind === "tool-call") return 0;
  if (draft.kind === "cell") return draft.code.length;
  const { repr, stdout, stderr, traceback } = draft.outcome;
  return (repr?.length ?? 0) + stdout.length + stderr.length + (traceback?.length ?? 0);
}

function firstBatch(held: readonly Held[]): Held[] {
  let text = 0;
  const end = held.findIndex((item, index) => {
    text += item.text;
    return index > 0 && (index >= batchSize || text > batchText);
  });
  return held.slice(0, end < 0 ? held.length : end);
}

function entryJson(item: Held, seq: number): JsonValue {
  const at = new Date(item.at).toISOString();
  if ("lost" in item) return { seq, at, kind: "lost", cell: 0, data: { entries: item.lost } } satisfies EntryJson;
  const { draft } = item;
  const cell = draft.kind === "outcome" ? draft.outcome.cell : draft.cell;
  return { seq, at, kind: draft.kind, cell, data: safely(draft) } satisfies EntryJson;
}

/** One entry that can't be written down must not keep back those behind it. */
function safely(draft: JournalDraft): JsonObject {
  try {
    return journalData(draft);
  } catch (error) {
    return { problem: `This entry could not be written down: ${String(error)}` };
  }
}

type EntryJson = Omit<JournalEntry, "at"> & { at: string };
