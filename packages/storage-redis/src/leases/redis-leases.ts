import { type LeaseStore, leaseTime, storageKey } from "@artificer/protocol";
import type { RedisBase } from "../connection.js";
import { acquireLease, changeLease } from "../scripts/lease-scripts.js";

/** Leases as fields of one hash. Each call is one step of the server, and its clock alone counts. */
export function createRedisLeases({ connection, keys, gate }: RedisBase): LeaseStore {
  const change = async (key: string, milliseconds: number, token: number) => {
    const given = [storageKey(key), String(milliseconds), String(token)];
    return (await connection.script("write", changeLease, [keys.leases], given)) === 1;
  };
  return {
    acquire: (rawKey, options) =>
      gate.pass(options.signal, async () => {
        const key = storageKey(rawKey);
        const given = [key, String(leaseTime(options))];
        const token = (await connection.script("write", acquireLease, [keys.leases], given)) as Buffer | null;
        return token === null ? undefined : { key, token: Number(token) };
      }),
    renew: ({ key, token }, options) => gate.pass(options.signal, async () => change(key, leaseTime(options), token)),
    release: ({ key, token }, { signal } = {}) => gate.pass(signal, async () => change(key, 0, token)),
  };
}
