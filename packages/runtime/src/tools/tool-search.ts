import { createHash } from "node:crypto";
import type { Embedder, Storage } from "@artificer/protocol";
import { openSearchIndex } from "../search/open-search-index.js";
import type { ToolInfo, Toolset } from "./toolset.js";

export interface ToolMatch extends ToolInfo {
  /** Higher is better; comparable within one search only. */
  score: number;
}

/** Finds tools by what they are for. */
export interface ToolSearch {
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<ToolMatch[]>;
}

/** The same ranking as skills have, over the session's tools. */
export async function openToolSearch(toolset: Toolset, storage: Storage, embedder?: Embedder): Promise<ToolSearch> {
  const index = await openSearchIndex({ storage, namespace: "tools", ...(embedder === undefined ? {} : { embedder }) });
  return {
    async search(query, options) {
      const tools = new Map(toolset.list().map((tool) => [tool.path, tool]));
      await index.sync(Array.from(tools.values(), toDocument), options);
      const hits = await index.search(query, options);
      return hits.flatMap(({ id, score }) => {
        const tool = tools.get(id);
        return tool === undefined ? [] : [{ ...tool, score }];
      });
    },
  };
}

function toDocument({ path, description, definition }: ToolInfo) {
  const text = description === "" ? path.replaceAll(/[._-]+/g, " ") : description;
  const words = [
    path,
    ...Object.keys((definition.inputSchema.properties as object | undefined) ?? {}),
    ...(definition.tags ?? []),
  ].join(" ");
  return { id: path, text, words, hash: createHash("sha256").update(`${text}\0${words}`).digest("hex") };
}
