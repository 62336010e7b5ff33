import type { RecordStore } from "@artificer/protocol";
import { each } from "../each.js";
import type { Measured, Row } from "../row.js";
import type { Backend, BackendKind } from "./backend.js";

const budget = "within 1.5x";
const value = (n: number) => ({ n, text: "x".repeat(200) });
const keyOf = (n: number) => `items/${String(n).padStart(6, "0")}`;

async function listed(records: RecordStore): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await records.list("items/", { limit: 10_000, cursor });
    count += page.items.length;
    cursor = page.cursor;
  }
  return count;
}

type Sides = Pick<Measured, "ours" | "bare">;

const actions: Record<string, (backend: Backend, count: number) => Sides> = {
  put: ({ storage, bare }, count) => ({
    ours: async () => void (await each(count, (n) => storage.records.put(keyOf(n), value(n)))),
    bare: async () => void (await each(count, (n) => bare.put(keyOf(n), JSON.stringify(value(n))))),
  }),
  get: ({ storage, bare }, count) => ({
    ours: async () => void (await each(count, (n) => storage.records.get(keyOf(n)))),
    bare: async () => void (await each(count, (n) => bare.get(keyOf(n)))),
  }),
  list: ({ storage, bare }, count) => ({
    async ours() {
      const found = await listed(storage.records);
      return () => {
        if (found !== count) throw new Error(`${found} of ${count} were listed`);
      };
    },
    bare: async () => void (await bare.list()),
  }),
};

/** Putting, getting and listing so many records, beside the driver alone. */
export function recordRows(kind: BackendKind, count: number): Row[] {
  return Object.entries(actions).map(([action, sides]): Row => {
    return {
      name: `storage: ${action} ${count}, ${kind.name}`,
      limit: `the same by ${kind.driver}`,
      operations: count,
      warmUps: count > 1_000 ? 1 : 20,
      samples: count > 1_000 ? 3 : 50,
      budget,
      async open() {
        const backend = await kind.open();
        if (action !== "put") {
          await each(count, (n) => backend.storage.records.put(keyOf(n), value(n)));
          await each(count, (n) => backend.bare.put(keyOf(n), JSON.stringify(value(n))));
        }
        return { ...sides(backend, count), close: backend.close };
      },
    };
  });
}
