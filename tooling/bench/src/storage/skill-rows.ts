import type { Embedder, Storage } from "@artificer/protocol";
import { createMemoryStorage, openSkillLibrary } from "@artificer/runtime";
import { each } from "../each.js";
import type { Row } from "../row.js";
import type { BackendKind } from "./backend.js";

const dimensions = 384;

/** Vectors of no meaning, made in no time: what is measured is not the model. */
const embedder: Embedder = {
  model: "bench",
  dimensions,
  embed: async (texts) =>
    texts.map((text) => {
      let state = 1;
      for (const unit of text) state = (state * 31 + (unit.codePointAt(0) ?? 0)) % 2_147_483_647;
      const vector = Float32Array.from({ length: dimensions }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 1_073_741_823 - 1;
      });
      const length = Math.hypot(...vector);
      return vector.map((component) => component / length);
    }),
};

const library = (storage: Storage) =>
  openSkillLibrary({
    storage,
    embedder,
    analyze: async () => ({
      imports: [],
      tools: [],
      skills: [],
      entry: { parameters: [], returns: undefined, doc: undefined, async: false, line: 1 },
    }),
  });

async function fill(storage: Storage, count: number): Promise<void> {
  await each(count, async (n) => {
    const text = `# ---\n# description: Does the thing number ${n} to item ${n * 7}\n# ---\ndef run():\n    return ${n}\n`;
    await storage.blobs.write(`skills/skill_${n}.py`, new TextEncoder().encode(text));
  });
  await (await library(storage)).search("the first search reads and embeds all");
}

/** Searching among so many skills, and opening a library of them, beside the same in memory. */
export function skillRows(kind: BackendKind, count: number): Row[] {
  const shape = { operations: 1, warmUps: 2, samples: count > 1_000 ? 10 : 50 };
  const open = async () => {
    const { storage, close } = await kind.open();
    const memory = createMemoryStorage();
    await fill(storage, count);
    await fill(memory, count);
    return { storage, memory, close };
  };
  return [
    {
      ...shape,
      name: `storage: search ${count} skills, ${kind.name}`,
      limit: "the same in memory",
      budget: "p50 under 5 ms",
      async open() {
        const { storage, memory, close } = await open();
        const [ours, bare] = [await library(storage), await library(memory)];
        return {
          ours: async () => void (await ours.search("thing number 42")),
          bare: async () => void (await bare.search("thing number 42")),
          close,
        };
      },
    },
    {
      ...shape,
      name: `storage: open ${count} skills and search, ${kind.name}`,
      limit: "the same in memory",
      budget: "reads only what changed",
      async open() {
        const { storage, memory, close } = await open();
        return {
          ours: async () => void (await (await library(storage)).search("thing number 42")),
          bare: async () => void (await (await library(memory)).search("thing number 42")),
          close,
        };
      },
    },
  ];
}
