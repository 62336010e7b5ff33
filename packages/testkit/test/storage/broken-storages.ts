import {
  ArtificerError,
  type Blob,
  type ChangeFeed,
  type LeaseStore,
  type Storage,
  type VectorStore,
} from "@artificer/protocol";
import { createMemoryStorage } from "@artificer/runtime";

/** A storage with one fault, and the case of the contract that must find it. */
export interface BrokenStorage {
  fault: string;
  found: string;
  create(): Storage;
}

type Change = (sound: Storage) => { records?: Partial<Storage["records"]>; blobs?: Partial<Storage["blobs"]> };

function broken(fault: string, found: string, change: Change): BrokenStorage {
  const create = (): Storage => {
    const sound = createMemoryStorage();
    const { records, blobs } = change(sound);
    return { ...sound, records: { ...sound.records, ...records }, blobs: { ...sound.blobs, ...blobs } };
  };
  return { fault, found, create };
}

function brokenLeases(fault: string, found: string, change: (sound: LeaseStore) => LeaseStore): BrokenStorage {
  const create = (): Storage => {
    const sound = createMemoryStorage();
    return { ...sound, leases: change(sound.leases as LeaseStore) };
  };
  return { fault, found, create };
}

function brokenWatch(fault: string, found: string, change: (sound: Storage) => Partial<ChangeFeed>): BrokenStorage {
  const create = (): Storage => {
    const sound = createMemoryStorage();
    return { ...sound, watch: { ...(sound.watch as ChangeFeed), ...change(sound) } };
  };
  return { fault, found, create };
}

function brokenVectors(
  fault: string,
  found: string,
  change: (sound: VectorStore) => Partial<VectorStore>,
): BrokenStorage {
  const create = (): Storage => {
    const sound = createMemoryStorage();
    const vectors = sound.vectors as VectorStore;
    return { ...sound, vectors: { ...vectors, ...change(vectors) } };
  };
  return { fault, found, create };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

export const brokenStorages: readonly BrokenStorage[] = [
  broken("gives an empty record for an absent one", "storage.records.absent", ({ records }) => ({
    records: { get: async (key, options) => (await records.get(key, options)) ?? { key, value: {}, revision: "0" } },
  })),
  broken("gives an empty blob for an absent one", "storage.blobs.absent", ({ blobs }) => ({
    blobs: {
      read: async (key, options) => {
        const none = { key, size: 0, revision: "0", metadata: {}, updatedAt: new Date() };
        return (await blobs.read(key, options)) ?? { info: none, bytes: (async function* () {})() };
      },
    },
  })),
  broken("ignores a stale revision of a record", "storage.records.stale-revision", ({ records }) => ({
    records: { put: (key, value, { signal } = {}) => records.put(key, value, { signal }) },
  })),
  broken("ignores a stale revision when it deletes a blob", "storage.blobs.stale-revision", ({ blobs }) => ({
    blobs: { delete: (key, { signal } = {}) => blobs.delete(key, { signal }) },
  })),
  broken("takes ifRevision null for no condition", "storage.records.if-absent", ({ records }) => ({
    records: {
      put: (key, value, options = {}) =>
        records.put(key, value, { ...options, ifRevision: options.ifRevision ?? undefined }),
    },
  })),
  broken("ignores the lease that a record is written under", "storage.records.fence", ({ records }) => ({
    records: { put: (key, value, { ifRevision, signal } = {}) => records.put(key, value, { ifRevision, signal }) },
  })),
  broken("ignores the lease that a record is deleted under", "storage.records.fence", ({ records }) => ({
    records: { delete: (key, { ifRevision, signal } = {}) => records.delete(key, { ifRevision, signal }) },
  })),
  broken("looks at the lease first and writes later", "storage.records.fence-race", ({ records }) => ({
    records: {
      put: async (key, value, { fence, ifRevision, signal } = {}) => {
        if (fence !== undefined) await records.delete(`${key}/none`, { fence });
        await tick();
        return records.put(key, value, { ifRevision, signal });
      },
    },
  })),
  broken("compares first and sets later", "storage.records.nothing-lost", ({ records }) => ({
    records: {
      put: async (key, value, options = {}) => {
        const stored = await records.get(key);
        if (options.ifRevision !== undefined && (stored?.revision ?? null) !== options.ifRevision) {
          throw new ArtificerError("storage/conflict", `${key} changed`, { hint: "Read it again." });
        }
        await tick();
        return records.put(key, value, { signal: options.signal });
      },
    },
  })),
  broken("writes blobs in place, chunk by chunk", "storage.blobs.whole-reads", ({ blobs }) => ({
    blobs: {
      write: async (key, bytes, options) => {
        const chunks: Uint8Array[] = [];
        const source = bytes instanceof Uint8Array ? [bytes] : bytes;
        let info = await blobs.write(key, new Uint8Array(), options);
        for await (const chunk of source) {
          chunks.push(chunk);
          await tick();
          info = await blobs.write(key, Buffer.concat(chunks), { ...options, ifRevision: undefined });
        }
        return info;
      },
    },
  })),
  broken("keeps the bytes of a source that failed", "storage.blobs.source-fails", ({ blobs }) => ({
    blobs: {
      write: async (key, bytes, options) => {
        const chunks: Uint8Array[] = [];
        try {
          for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) chunks.push(chunk);
        } catch (error) {
          await blobs.write(key, Buffer.concat(chunks), options);
          throw error;
        }
        return blobs.write(key, Buffer.concat(chunks), options);
      },
    },
  })),
  broken("drops metadata", "storage.blobs.metadata", ({ blobs }) => ({
    blobs: { write: (key, bytes, options) => blobs.write(key, bytes, { ...options, metadata: {} }) },
  })),
  broken("keeps old metadata when a write gives none", "storage.blobs.metadata", ({ blobs }) => ({
    blobs: {
      write: async (key, bytes, options = {}) =>
        blobs.write(key, bytes, { ...options, metadata: options.metadata ?? (await blobs.stat(key))?.metadata }),
    },
  })),
  broken("treats bytes as text", "storage.blobs.every-byte", ({ blobs }) => ({
    blobs: {
      write: (key, bytes, options) =>
        blobs.write(
          key,
          bytes instanceof Uint8Array ? new TextEncoder().encode(new TextDecoder().decode(bytes)) : bytes,
          options,
        ),
    },
  })),
  broken("gives equal writes one revision", "storage.records.revision-changes", ({ records }) => ({
    records: {
      put: async (key, value, options) => {
        await records.put(key, value, options);
        return JSON.stringify(value);
      },
    },
  })),
  broken("opens a blob when its bytes are asked for", "storage.blobs.version-kept", ({ blobs }) => ({
    blobs: {
      read: async (key, options): Promise<Blob | undefined> => {
        const info = await blobs.stat(key, options);
        const late = async function* () {
          const blob = await blobs.read(key, options);
          if (blob) yield* blob.bytes;
        };
        return info && { info, bytes: late() };
      },
    },
  })),
  broken("deletes what lies below a key with it", "storage.records.delete", ({ records }) => ({
    records: {
      delete: async (key, options) => {
        for (const { key: below } of (await records.list(`${key}/`)).items) await records.delete(below);
        return records.delete(key, options);
      },
    },
  })),
  broken("matches prefixes by whole segments", "storage.list.scoped", ({ records }) => ({
    records: {
      list: async (prefix, options) => {
        const page = await records.list(prefix, options);
        const whole = (key: string) =>
          prefix === "" || key === prefix || key.startsWith(`${prefix.replace(/\/$/, "")}/`);
        return { ...page, items: page.items.filter(({ key }) => whole(key)) };
      },
    },
  })),
  broken("sorts by UTF-16", "storage.list.ordered", ({ records }) => ({
    records: {
      list: async (prefix, options) => {
        const page = await records.list(prefix, options);
        return { ...page, items: page.items.sort((a, b) => (a.key < b.key ? -1 : 1)) };
      },
    },
  })),
  broken("gives a cursor on the last page too", "storage.list.paged", ({ blobs }) => ({
    blobs: {
      list: async (prefix, options) => {
        const page = await blobs.list(prefix, options);
        return { cursor: page.items.at(-1)?.key, ...page };
      },
    },
  })),
  broken("counts its cursor in items", "storage.list.changed-between-pages", ({ records }) => ({
    records: {
      list: async (prefix, { limit = 1000, cursor = "0" } = {}) => {
        const { items } = await records.list(prefix, { limit: 100_000 });
        const end = Number(cursor) + limit;
        return { items: items.slice(Number(cursor), end), ...(end < items.length ? { cursor: String(end) } : {}) };
      },
    },
  })),
  broken("takes any key", "storage.keys.refused", ({ records }) => ({
    records: { get: async (key, options) => records.get(key.replaceAll("..", "up"), options) },
  })),
  broken("joins names that differ only in case", "storage.keys.awkward", ({ blobs }) => ({
    blobs: {
      write: (key, ...rest) => blobs.write(key.toLowerCase(), ...rest),
      read: (key, options) => blobs.read(key.toLowerCase(), options),
    },
  })),
  broken("wraps the abort reason", "storage.abort.reason", ({ records }) => ({
    records: {
      get: async (key, options = {}) => {
        if (options.signal?.aborted) throw new Error("aborted", { cause: options.signal.reason });
        return records.get(key);
      },
    },
  })),
  broken("hands out the stored value itself", "storage.records.copies", ({ records }) => {
    const values = new Map<string, { key: string; value: Record<string, never>; revision: string }>();
    return {
      records: {
        put: async (key, value, options) => {
          const revision = await records.put(key, value, options);
          values.set(key, { key, value: value as Record<string, never>, revision });
          return revision;
        },
        get: async (key, options) => (await records.get(key, options)) && values.get(key),
      },
    };
  }),
  {
    fault: "declares to be durable and is not",
    found: "storage.durable.declared",
    create: () => {
      const sound = createMemoryStorage();
      return { ...sound, capabilities: { ...sound.capabilities, durable: true } };
    },
  },
  {
    fault: "declares to be durable and holds blobs in memory",
    found: "storage.blobs.large",
    create: () => {
      const sound = createMemoryStorage();
      return { ...sound, capabilities: { ...sound.capabilities, durable: true } };
    },
  },
  {
    fault: "declares vectors it does not have",
    found: "storage.capabilities.declared",
    create: () => {
      const sound = createMemoryStorage();
      return { ...sound, vectors: undefined } as unknown as Storage;
    },
  },
  brokenLeases("gives a lease to everybody", "storage.leases.one-holder", (sound) => {
    let token = 0;
    return { ...sound, acquire: async (key) => ({ key, token: ++token }) };
  }),
  brokenLeases("begins its tokens anew", "storage.leases.tokens-grow", (sound) => ({
    ...sound,
    acquire: async (key, options) => {
      const lease = await sound.acquire(key, options);
      return lease && { ...lease, token: 1 };
    },
    release: async ({ key }) => {
      for (let token = 0; token < 9; token++) if (await sound.release({ key, token })) return true;
      return false;
    },
  })),
  brokenLeases("renews what is lost", "storage.leases.lost-is-lost", (sound) => ({
    ...sound,
    renew: async (lease, options) => (await sound.renew(lease, options)) || true,
  })),
  brokenLeases("lets the last holder release the next one's", "storage.leases.expire", (sound) => ({
    ...sound,
    release: async ({ key, token }) =>
      (await sound.release({ key, token })) || (await sound.release({ key, token: token + 1 })),
  })),
  brokenLeases("does not hold longer when it is renewed", "storage.leases.renewed", (sound) => ({
    ...sound,
    renew: async (lease, { ttlMs }) => sound.renew(lease, { ttlMs: Math.min(ttlMs, 500) }),
  })),
  brokenLeases("looks first and takes later", "storage.leases.rivals", (sound) => {
    const free = new Map<string, number>();
    return {
      ...sound,
      acquire: async (key) => {
        const token = free.get(key) ?? 0;
        await tick();
        if (token < 0) return undefined;
        free.set(key, -token - 1);
        return { key, token: token + 1 };
      },
      release: async ({ key, token }) => {
        free.set(key, token);
        return true;
      },
    };
  }),
  brokenWatch("counts records only", "storage.watch.every-change", ({ records }) => ({
    version: async (prefix) => (await records.list(prefix)).items.map(({ revision }) => revision).join(),
  })),
  brokenWatch("looks at values and not at writes", "storage.watch.every-change", ({ records, blobs }) => ({
    version: async (prefix) =>
      JSON.stringify([
        (await records.list(prefix)).items.map(({ value }) => value),
        (await blobs.list(prefix)).items.map(({ revision }) => revision),
      ]),
  })),
  brokenWatch("is late with its version", "storage.watch.nothing-missed", ({ watch }) => {
    let known: { version: string | undefined; at: number } | undefined;
    return {
      version: async (prefix) => {
        if (known === undefined || performance.now() - known.at > 40)
          known = { version: await watch?.version(prefix), at: performance.now() };
        return known.version ?? "";
      },
    };
  }),
  brokenWatch("goes on after it was stopped", "storage.watch.subscribed", ({ watch }) => ({
    subscribe: async (prefix, changed) => {
      await watch?.subscribe(prefix, changed);
      return { stop: async () => {} };
    },
  })),
  brokenVectors("ranks the worst first", "storage.vectors.nearest", ({ nearest }) => ({
    nearest: async (...given) => (await nearest(...given)).reverse(),
  })),
  brokenVectors("gives distances for scores", "storage.vectors.nearest", ({ nearest }) => ({
    nearest: async (...given) => (await nearest(...given)).map(({ id, score }) => ({ id, score: 1 - score })),
  })),
  brokenVectors("makes a set of nothing", "storage.vectors.absent", ({ drop }) => ({
    drop: async (...given) => (await drop(...given)) || true,
  })),
  brokenVectors("rounds to eight bits", "storage.vectors.numbers", ({ put }) => ({
    put: (set, entries, options) =>
      put(
        set,
        entries.map(({ id, vector }) => ({ id, vector: vector.map((value) => Math.round(value * 127) / 127) })),
        options,
      ),
  })),
  brokenVectors("keeps the vector that was there first", "storage.vectors.replaced", ({ put, missing }) => ({
    put: async (set, entries, options) => {
      const fresh = await missing(
        set,
        entries.map(({ id }) => id),
        options,
      );
      return put(
        set,
        entries.filter(({ id }) => fresh.includes(id)),
        options,
      );
    },
  })),
  brokenVectors("forgets nothing that it is told to", "storage.vectors.delete", () => ({
    delete: async (_, ids) => ids.length,
  })),
  brokenVectors("takes a set for all that begin with its name", "storage.vectors.sets-apart", ({ count, drop }) => ({
    count: async (set, options) => (await count(set, options)) + (await count(`${set}/deeper`, options)),
    drop,
  })),
  brokenVectors("takes vectors of any dimensions", "storage.vectors.dimensions", ({ put, drop }) => ({
    put: (set, entries, options) =>
      put(set, entries, options).catch(async () => {
        await drop(set);
        await put(set, entries.slice(0, 1), options);
      }),
  })),
  brokenVectors("takes any vector", "storage.vectors.refused", ({ put }) => ({
    put: (set, entries, options) =>
      put(
        set,
        entries.filter(({ vector }) => vector instanceof Float32Array && Math.hypot(...vector) > 0.5),
        options,
      ),
  })),
  brokenVectors("ends ids at the first zero", "storage.vectors.hostile-ids", ({ put }) => ({
    put: (set, entries, options) =>
      put(
        set,
        entries.map(({ id, vector }) => ({ id: id.split("\0")[0] ?? "", vector })),
        options,
      ),
  })),
  brokenVectors("looks through the first half only", "storage.vectors.recall", ({ nearest }) => ({
    nearest: async (set, vector, options = {}) => {
      const hits = await nearest(set, vector, { ...options, limit: 2 * (options.limit ?? 10) });
      return hits.filter(({ id }) => Number(id.slice(1)) % 2 === 0).slice(0, options.limit ?? 10);
    },
  })),
  brokenVectors("filters after it has ranked all sets", "storage.vectors.small-beside-large", ({ nearest }) => ({
    nearest: async (set, vector, options = {}) => {
      const beside = set === "small" ? await nearest("large", vector, options) : [];
      const hits = await nearest(set, vector, options);
      return [...beside, ...hits]
        .sort((left, right) => right.score - left.score)
        .slice(0, options.limit ?? 10)
        .filter(({ id }) => id.startsWith(set));
    },
  })),
  brokenVectors("puts back all that it knew when one is put", "storage.vectors.writers", ({ put, get, count }) => ({
    put: async (set, entries, options) => {
      const before = await count(set);
      const ids = Array.from({ length: 40 }, (_, at) => `v${at}`);
      const known = await get(set, ids);
      await tick();
      if ((await count(set)) !== before) return;
      await put(set, [...[...known].map(([id, vector]) => ({ id, vector })), ...entries], options);
    },
  })),
  brokenVectors("keeps what it dropped", "storage.vectors.drop-and-put", ({ drop, count }) => ({
    drop: async (set, options) => ((await count(set, options)) > 0 ? true : drop(set, options)),
  })),
  {
    fault: "goes on after close",
    found: "storage.close.refuses",
    create: () => ({ ...createMemoryStorage(), close: async () => {} }),
  },
];
