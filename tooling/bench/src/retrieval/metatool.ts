import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Embedder, Storage } from "@artificer/protocol";
import { openSearchIndex, type SearchIndex } from "@artificer/runtime";

export interface MetatoolOptions {
  /** Queries a tool that are asked and never learned. Default 10. */
  testQueries?: number;
  /** Queries a tool that led to it before. Default 10. */
  learnedQueries?: number;
}

/** NDCG@10 in percent, mean over tools. */
export interface MetatoolScores {
  tools: number;
  queries: number;
  /** Nothing was used yet. */
  cold: number;
  /** Each tool was used for its learned queries. */
  learned: number;
}

const depth = 10;

/**
 * Asks for the tools of MetaTool by its single-tool queries, before and after use. `dataFolder` holds `tools.json` (name to
 * description) and `single.jsonl` (`{query, tool}` a line). A tool's queries are ordered by the hash of their text: the first
 * are asked, the next are learned, so that none is both, and every run and machine takes the same.
 */
export async function evaluateMetatool(
  dataFolder: string,
  embedder: Embedder | undefined,
  storage: Storage,
  { testQueries = 10, learnedQueries = 10 }: MetatoolOptions = {},
): Promise<MetatoolScores> {
  const tools = JSON.parse(await readFile(join(dataFolder, "tools.json"), "utf8")) as Record<string, string>;
  const queries = await readQueries(join(dataFolder, "single.jsonl"));
  const index = await openSearchIndex({ storage, namespace: "metatool", embedder: embedder && remembering(embedder) });
  await index.sync(
    Object.entries(tools).map(([name, text]) => ({ id: name, text, words: name, hash: `${name}\n${text}` })),
  );
  const split = Object.keys(tools).map((tool) => {
    const all = queries.get(tool) ?? [];
    // A tool with few queries is asked half of them.
    const asked = Math.min(testQueries, Math.ceil(all.length / 2));
    return { tool, test: all.slice(0, asked), learn: all.slice(asked, asked + learnedQueries) };
  });
  const asked = split.filter(({ test }) => test.length > 0);
  const cold = await score(index, asked);
  for (const { tool, learn } of split) for (const query of learn) await index.learn(tool, query);
  const learned = await score(index, asked);
  return { tools: asked.length, queries: asked.reduce((sum, { test }) => sum + test.length, 0), cold, learned };
}

async function readQueries(path: string): Promise<Map<string, string[]>> {
  const byTool = new Map<string, Set<string>>();
  for (const line of (await readFile(path, "utf8")).split("\n").filter(Boolean)) {
    const { query, tool } = JSON.parse(line) as { query: string; tool: string };
    byTool.set(tool, (byTool.get(tool) ?? new Set()).add(query));
  }
  const rank = (query: string) => createHash("sha256").update(query).digest("hex");
  const ordered = (texts: Set<string>) =>
    [...texts].map((text) => ({ text, rank: rank(text) })).sort((left, right) => (left.rank < right.rank ? -1 : 1));
  return new Map([...byTool].map(([tool, texts]) => [tool, ordered(texts).map(({ text }) => text)]));
}

async function score(index: SearchIndex, asked: readonly { tool: string; test: readonly string[] }[]): Promise<number> {
  let sum = 0;
  for (const { tool, test } of asked) {
    let ofTool = 0;
    for (const query of test) {
      const place = (await index.search(query, { limit: depth })).findIndex(({ id }) => id === tool);
      // With one right answer the ideal gain is 1.
      if (place !== -1) ofTool += 1 / Math.log2(place + 2);
    }
    sum += ofTool / test.length;
  }
  return (100 * sum) / asked.length;
}

/** Queries are asked twice; the model need not compute them twice. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embed(texts, options) {
      const key = (text: string) => `${options?.role}\n${text}`;
      const missing = [...new Set(texts.filter((text) => !known.has(key(text))))];
      const vectors = missing.length === 0 ? [] : await embedder.embed(missing, options);
      for (const [at, text] of missing.entries()) known.set(key(text), vectors[at]!);
      return texts.map((text) => known.get(key(text))!);
    },
  };
}
