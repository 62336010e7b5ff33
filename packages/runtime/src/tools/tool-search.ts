import { createHash } from "node:crypto";
import type { Embedder, Storage } from "@artificer/protocol";
import { openSearchIndex } from "../search/open-search-index.js";
import type { SearchLimits } from "../search/search-limits.js";
import type { ToolInfo, Toolset } from "./toolset.js";

export interface ToolMatch extends ToolInfo {
  /** Higher is better; comparable within one search only. */
  score: number;
}

/** Finds tools by what they are for, and learns which query led to which. */
export interface ToolSearch {
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<ToolMatch[]>;
  /** A tool was called with success: the latest search that had shown it is learned, once. */
  used(toolkit: string, tool: string): void;
  /** Resolves when what was learned is kept. */
  settle(): Promise<void>;
}

export interface ToolSearchOptions extends SearchLimits {
  embedder?: Embedder;
  /** Told of what works less than fully, once each. */
  onProblem?: (message: string) => void;
}

/** Tools whose last query is remembered; a search that nobody followed for so long taught nothing. */
const maxRemembered = 200;

/** The same ranking as skills have, over the session's tools. */
export async function openToolSearch(
  toolset: Toolset,
  storage: Storage,
  options: ToolSearchOptions = {},
): Promise<ToolSearch> {
  const index = await openSearchIndex({ storage, namespace: "tools", ...options });
  const queries = new Map<string, string>();
  let learning: Promise<unknown> = Promise.resolve();

  const learn = async (id: string, query: string) => {
    try {
      await index.learn(id, query);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      options.onProblem?.(`What led to ${id} could not be learned: ${why}`);
    }
  };

  return {
    async search(query, given) {
      // What a call before taught counts already.
      await learning;
      const tools = new Map(toolset.list().map((tool) => [idOf(tool.toolkit, tool.tool), tool]));
      await index.sync(
        Array.from(tools, ([id, tool]) => toDocument(id, tool)),
        given,
      );
      const hits = await index.search(query, given);
      for (const { id } of hits) {
        queries.delete(id);
        queries.set(id, query);
      }
      for (const id of queries.keys()) if (queries.size > maxRemembered) queries.delete(id);
      return hits.flatMap(({ id, score }) => {
        const tool = tools.get(id);
        return tool === undefined ? [] : [{ ...tool, score }];
      });
    },
    used(toolkit, tool) {
      const id = idOf(toolkit, tool);
      const query = queries.get(id);
      if (query === undefined) return;
      queries.delete(id);
      learning = learning.then(() => learn(id, query));
    },
    async settle() {
      await learning;
    },
  };
}

/** Names may hold dots: `a.b` and `c` must not be taken for `a` and `b.c`. */
function idOf(toolkit: string, tool: string): string {
  return toolkit.includes(".") ? JSON.stringify([toolkit, tool]) : `${toolkit}.${tool}`;
}

function toDocument(id: string, { path, description, definition }: ToolInfo) {
  const text = description === "" ? path.replaceAll(/[._-]+/g, " ") : description;
  const words = [
    path,
    ...Object.keys((definition.inputSchema.properties as object | undefined) ?? {}),
    ...(definition.tags ?? []),
  ].join(" ");
  return { id, text, words, hash: createHash("sha256").update(`${text}\0${words}`).digest("hex") };
}
