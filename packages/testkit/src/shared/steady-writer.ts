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

/**
 * Writes one record and one blob over and over, each by the revision that it knows. Every refusal must be one that says what to
 * do; after it the writer looks at what is stored, which must be what was acknowledged last or what was refused, whole.
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

  const recordLoop = async () => {
    let known = 0;
    let revision: string | null = null;
    for (let n = 1; writing; n++) {
      try {
        revision = await storage.records.put(name, { n }, { ifRevision: revision });
        known = n;
        acknowledged++;
      } catch (error) {
        assertUnavailable(error);
        refused++;
        const stored = await patient(() => storage.records.get(name));
        const found = Number(stored?.value.n ?? 0);
        assert.ok(found === known || found === n, `record ${found} is there; ${known} was acknowledged, ${n} refused`);
        known = found;
        revision = stored?.revision ?? null;
      }
    }
    const stored = await patient(() => storage.records.get(name));
    assert.equal(stored?.value.n, known, "the record acknowledged last");
  };

  const look = () =>
    patient(async () => {
      const blob = await storage.blobs.read(name);
      if (blob === undefined) return { n: 0, revision: null };
      const n = Number(blob.info.metadata.n);
      const text = Buffer.from(await drain(blob)).toString();
      assert.ok(text === String(n % 10).repeat(lengthOf(n)), `blob ${n} has ${text.length} bytes of ${lengthOf(n)}`);
      return { n, revision: blob.info.revision };
    });
  const blobLoop = async () => {
    let known: { n: number; revision: string | null } = { n: 0, revision: null };
    for (let n = 1; writing; n++) {
      try {
        const options = { ifRevision: known.revision, metadata: { n } };
        const { revision } = await storage.blobs.write(name, digits(n, lengthOf(n)), options);
        known = { n, revision };
        acknowledged++;
      } catch (error) {
        assertUnavailable(error);
        refused++;
        const found = await look();
        assert.ok(
          [known.n, n].includes(found.n),
          `blob ${found.n} is there; ${known.n} was acknowledged, ${n} refused`,
        );
        known = found;
      }
    }
    assert.deepEqual(await look(), known, "the blob acknowledged last");
  };

  // Both settle, so that neither writes on when the other has failed.
  const loops = Promise.allSettled([recordLoop(), blobLoop()]);
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
