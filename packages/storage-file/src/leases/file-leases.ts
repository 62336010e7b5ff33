import { randomBytes } from "node:crypto";
import { type LeaseOptions, type LeaseStore, leaseTime, storageKey } from "@artificer/protocol";
import type { FileBase } from "../file-base.js";
import { withFileErrors } from "../files/file-error.js";
import { writeText } from "../files/write-text.js";
import { ownFacts } from "../locks/process-life.js";
import { heldUntil, isHeld, type LeaseHolding, type SeenSigns } from "./lease-holding.js";
import { leasePath, readHolding } from "./read-holding.js";

/**
 * Leases as one JSON file a key, under `.state/leases`, changed under the key's lock. A file stays, so that its tokens go on
 * growing. The lease of a process that died is free at once.
 */
export function createFileLeases(base: FileBase): LeaseStore {
  const seen: SeenSigns = new Map();
  const self = ownFacts(randomBytes(9).toString("hex"));

  /** Changes what is there, as `next` says, with nobody between. */
  const change = <T>(
    rawKey: string,
    signal: AbortSignal | undefined,
    next: (holding: LeaseHolding | undefined, held: boolean) => { result: T; write?: LeaseHolding },
  ): Promise<T> =>
    base.gate.pass(signal, async () => {
      const key = storageKey(rawKey);
      if (base.readOnly) throw base.readOnly;
      const path = leasePath(base, key);
      return withFileErrors("write", path, () =>
        base.locks.hold(`lease:${key}`, signal, async (check) => {
          const holding = await readHolding(path);
          const { result, write } = next(holding, holding !== undefined && (await isHeld(key, holding, seen)));
          signal?.throwIfAborted();
          if (write === undefined) return result;
          await check();
          await writeText(base, path, `${JSON.stringify(write)}\n`);
          return result;
        }),
      );
    });
  const heldFor = async (token: number, options: LeaseOptions): Promise<LeaseHolding> => {
    const ttlMs = leaseTime(options);
    return { token, sign: randomBytes(9).toString("hex"), ttlMs, until: heldUntil(ttlMs), holder: await self };
  };

  return {
    async acquire(key, options) {
      const first = await heldFor(1, options);
      return change(key, options.signal, (holding, held) => {
        if (held) return { result: undefined };
        const token = (holding?.token ?? 0) + 1;
        const write = { ...first, token, until: heldUntil(first.ttlMs) };
        return { result: { key: storageKey(key), token }, write };
      });
    },
    async renew({ key, token }, options) {
      const next = await heldFor(token, options);
      return change(key, options.signal, (holding, held) =>
        held && holding?.token === token
          ? { result: true, write: { ...next, until: heldUntil(next.ttlMs) } }
          : { result: false },
      );
    },
    release({ key, token }, { signal } = {}) {
      return change(key, signal, (holding, held) =>
        held && holding?.token === token ? { result: true, write: { ...holding, sign: "" } } : { result: false },
      );
    },
  };
}
