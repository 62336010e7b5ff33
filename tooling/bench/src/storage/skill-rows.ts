import type { Storage } from "@artificer/protocol";
import type { Row } from "../row.js";
import type { Backend, BackendKind } from "./backend.js";
import { createPlainScan, openBenchLibrary, putKnownSkills, putSkills } from "./bench-library.js";
import type { Stage } from "./stage.js";

const query = "thing number 42";

async function openAndSearch(storage: Storage): Promise<void> {
  const hits = await (await openBenchLibrary(storage)).search(query);
  if (hits.length === 0) throw new Error("nothing was found");
}

/** Reading so many new skills, opening a library that knows them, and searching it, beside the least that these take. */
export function skillRows(kind: BackendKind, count: number, stage: Stage): Row[] {
  const many = count > 1_000;
  const shape = { operations: 1, warmUps: many ? 1 : 2, samples: many ? 3 : 30 };
  const content = `${count} skills`;
  const fill = (put: typeof putSkills) => async (backend: Backend) => {
    const storage = await backend.openQuickly();
    await put(storage, count);
    await storage.close();
  };
  const known = fill(putKnownSkills);
  const row = (name: string, own: Pick<Row, "limit" | "budget" | "open"> & Partial<Row>): Row => ({
    ...shape,
    name: `storage: ${name.replace("N", String(count))}, ${kind.name}`,
    ...own,
  });
  const rows = [
    row(`first search of N new skills${kind.quickly === undefined ? "" : ` ${kind.quickly}`}`, {
      limit: `their text read by ${kind.driver}`,
      budget: "once for all processes",
      warmUps: 0,
      samples: 1,
      async open() {
        const { openQuickly, bare } = await stage.open(kind, `${content} that are new`, fill(putSkills));
        const storage = await openQuickly();
        return {
          ours: async () => void (await openAndSearch(storage)),
          bare: async () => void (await bare.readSkills()),
          close: () => storage.close(),
        };
      },
    }),
    row("open N skills and search, cold", {
      limit: `the same bytes read by ${kind.driver}`,
      budget: "reads only what changed",
      async open() {
        const { reopen, bare } = await stage.open(kind, content, known);
        return {
          async ours() {
            const storage = await reopen();
            await openAndSearch(storage);
            return () => storage.close();
          },
          bare: async () => void (await bare.readLibrary()),
          close: async () => {},
        };
      },
    }),
    row("open N skills and search, warm", {
      limit: `the same bytes read by ${kind.driver}`,
      budget: "reads only what changed",
      async open() {
        const { storage, bare } = await stage.open(kind, content, known);
        return {
          ours: async () => void (await openAndSearch(storage)),
          bare: async () => void (await bare.readLibrary()),
          close: async () => {},
        };
      },
    }),
    row("search N skills", {
      limit: "a plain scan over as many vectors",
      budget: "p50 under 5 ms",
      warmUps: 20,
      samples: 50,
      async open() {
        const { storage } = await stage.open(kind, content, known);
        const library = await openBenchLibrary(storage);
        const scan = createPlainScan(count);
        return {
          ours: async () => void (await library.search(query)),
          bare: async () => void scan(),
          close: async () => {},
        };
      },
    }),
  ];
  // Ten thousand take minutes where each is written to a disk in many steps.
  return many && kind.isSlowToWrite ? rows.slice(1) : rows;
}
