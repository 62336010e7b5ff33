import type { RecordStore } from "@artificer/protocol";
import { each } from "../each.js";
import type { Measured, Row } from "../row.js";
import type { Backend, BackendKind } from "./backend.js";
import type { Stage } from "./stage.js";

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

const few: Record<string, [number, number]> = { put: [0, 1], get: [0, 2], list: [1, 7] };

/** Putting, getting and listing so many records, beside the driver alone. */
export function recordRows(kind: BackendKind, count: number, stage: Stage): Row[] {
  const fill = async ({ openQuickly, bare }: Backend) => {
    const storage = await openQuickly();
    await each(count, (n) => storage.records.put(keyOf(n), value(n)));
    await storage.close();
    await each(count, (n) => bare.put(keyOf(n), JSON.stringify(value(n))));
  };
  return Object.entries(actions).map(([action, sides]): Row => {
    // Ten thousand at once say in few samples what they take.
    const [warmUps, samples] = count > 1_000 ? (few[action] ?? [1, 3]) : [20, 50];
    return {
      name: `storage: ${action} ${count}, ${kind.name}`,
      limit: `the same by ${kind.driver}`,
      operations: count,
      warmUps,
      samples,
      budget,
      async open() {
        const backend = await stage.open(kind, `${count} records`, fill);
        return { ...sides(backend, count), close: async () => {} };
      },
    };
  });
}
