import type { Embedder, Storage } from "@artificer/protocol";
import { createMemoryStorage, openSkillLibrary, type SkillLibrary } from "@artificer/runtime";
import { each } from "../each.js";

const dimensions = 384;

/** An embedder whose vectors have no meaning and take no time: what is measured is not the model. */
export interface BenchEmbedder extends Embedder {
  /** Texts of documents that it embedded. */
  readonly embedded: string[];
}

export function createBenchEmbedder(): BenchEmbedder {
  const embedded: string[] = [];
  return {
    model: "bench",
    dimensions,
    embedded,
    async embed(texts, { role } = {}) {
      if (role === "document") embedded.push(...texts);
      return texts.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array {
  let state = 1;
  for (const unit of text) state = (state * 31 + (unit.codePointAt(0) ?? 0)) % 2_147_483_647;
  const vector = Float32Array.from({ length: dimensions }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 1_073_741_823 - 1;
  });
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** A library whose skills are analysed in no time too. */
export function openBenchLibrary(storage: Storage, embedder: Embedder = createBenchEmbedder()): Promise<SkillLibrary> {
  const entry = { parameters: [], returns: undefined, doc: undefined, async: false, line: 1 };
  return openSkillLibrary({ storage, embedder, analyze: async () => ({ imports: [], tools: [], skills: [], entry }) });
}

export function skillSource(n: number): string {
  return `# ---\n# description: Does the thing number ${n} to item ${n * 7}\n# ---\ndef run():\n    return ${n}\n`;
}

/** Puts so many skills there, as people do: nobody has read them yet. */
export async function putSkills(storage: Storage, count: number): Promise<void> {
  await each(count, (n) => storage.blobs.write(`skills/skill_${n}.py`, Buffer.from(skillSource(n))));
}

const allAtOnce = { limit: 1_000_000 };

/** Puts so many skills there with all that is known of them, as if another process had read them; that itself would take many times as long. */
export async function putKnownSkills(storage: Storage, count: number): Promise<void> {
  const model = createMemoryStorage();
  await putSkills(model, count);
  await (await openBenchLibrary(model)).search("the first search reads and embeds all");
  const { items: entries } = await model.records.list("skill-index/", allAtOnce);
  await each(entries.length, async (at) => {
    const { key, value } = entries[at] as (typeof entries)[number];
    const name = key.slice("skill-index/".length);
    const source = Buffer.from(skillSource(Number(name.slice("skill_".length))));
    const { revision, updatedAt } = await storage.blobs.write(`skills/${name}.py`, source);
    await storage.records.put(key, { ...value, revision, updatedAt: updatedAt.toISOString() });
  });
  for (const { key } of (await model.blobs.list("search/", allAtOnce)).items) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await model.blobs.read(key))?.bytes ?? []) chunks.push(chunk);
    await storage.blobs.write(key, Buffer.concat(chunks));
  }
}

/** The least that an exact search among so many takes: each of their vectors times one, and the greatest product. */
export function createPlainScan(count: number): () => number {
  const vectors = new Float32Array(count * dimensions).fill(0.05);
  const query = vectorOf("anything");
  return () => {
    let best = Number.NEGATIVE_INFINITY;
    for (let start = 0; start < vectors.length; start += dimensions) {
      let product = 0;
      for (let at = 0; at < dimensions; at++) product += (vectors[start + at] ?? 0) * (query[at] ?? 0);
      if (product > best) best = product;
    }
    return best;
  };
}
