import assert from "node:assert/strict";
import { ArtificerError, type Storage } from "@artificer/protocol";
import { drain } from "../storage/blob-bytes.js";
import { digits } from "./digits.js";

/** Keeps writing whatever happens, and keeps count of what it was promised. */
export interface SteadyWriter {
  readonly acknowledged: number;
  readonly refused: number;
  /** Ends the writing and looks at what is stored. */
  finish(): Promise<void>;
}

interface Known {
  n: number;
  revision: string | null;
}

/** What is written over and over, each time with its number. */
interface Subject {
  what: string;
  write(n: number, ifRevision: string | null): Promise<string>;
  look(): Promise<Known>;
}

/**
 * Writes one record and one blob over and over, each by the revision that it knows. Every refusal must be one that says what to
 * do; after it the writer looks at what is stored, which must be what was acknowledged last or what was refused since, whole.
 */
export function startSteadyWriter(storage: Storage, name: string): SteadyWriter {
  let acknowledged = 0;
  let refused = 0;
  let writing = true;
  const patient = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        assertUnavailable(error);
        refused++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const lengthOf = (n: number) => 1_000 + (n % 4) * 250_000;

  const keepWriting = async ({ what, write, look }: Subject) => {
    let known: Known = { n: 0, revision: null };
    // Refused while that was stored: the server may still do one of them, after a look too, until something else is done.
    const open = new Set<number>();
    const lookAgain = async () => {
      const found = await patient(look);
      const story = `${what} ${found.n} is there; ${known.n} was acknowledged, ${[...open]} refused`;
      assert.ok(found.n === known.n || open.has(found.n), story);
      if (found.n !== known.n) open.clear();
      known = found;
    };
    for (let n = 1; writing; n++) {
      const before = known.n;
      try {
        known = { n, revision: await write(n, known.revision) };
        open.clear();
        acknowledged++;
      } catch (error) {
        const isOvertaken = open.size > 0 && ArtificerError.is(error, "storage/conflict");
        if (!isOvertaken) {
          assertUnavailable(error);
          refused++;
          open.add(n);
        }
        await lookAgain();
        if (isOvertaken) assert.notEqual(known.n, before, `${what}: a conflict with what nobody wrote`);
      }
    }
    await lookAgain();
  };

  const records: Subject = {
    what: "record",
    write: (n, ifRevision) => storage.records.put(name, { n }, { ifRevision }),
    async look() {
      const stored = await storage.records.get(name);
      return { n: Number(stored?.value.n ?? 0), revision: stored?.revision ?? null };
    },
  };
  const blobs: Subject = {
    what: "blob",
    async write(n, ifRevision) {
      const { revision } = await storage.blobs.write(name, digits(n, lengthOf(n)), { ifRevision, metadata: { n } });
      return revision;
    },
    async look() {
      const blob = await storage.blobs.read(name);
      if (blob === undefined) return { n: 0, revision: null };
      const n = Number(blob.info.metadata.n);
      const text = Buffer.from(await drain(blob)).toString();
      assert.ok(text === String(n % 10).repeat(lengthOf(n)), `blob ${n} has ${text.length} bytes of ${lengthOf(n)}`);
      return { n, revision: blob.info.revision };
    },
  };

  // Both settle, so that neither writes on when the other has failed.
  const loops = Promise.allSettled([keepWriting(records), keepWriting(blobs)]);
  return {
    get acknowledged() {
      return acknowledged;
    },
    get refused() {
      return refused;
    },
    async finish() {
      writing = false;
      for (const result of await loops) if (result.status === "rejected") throw result.reason;
    },
  };
}

function assertUnavailable(error: unknown): void {
  if (!ArtificerError.is(error, "storage/unavailable")) throw error;
  assert.ok(error.hint, "a refusal says what to do");
}
