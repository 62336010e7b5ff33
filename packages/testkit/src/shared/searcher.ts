import { once } from "node:events";
import { createInterface } from "node:readline";
import { startProgram } from "./run-program.js";
import type { ProgramTarget } from "./shared-storage.js";

export interface SearchReport {
  names: string[];
  /** Texts that the search had to embed. */
  embedded: string[];
  /** Skills that it had to analyse. */
  analysed: number;
}

/** Another process with a skill library of its own. */
export interface Searcher {
  search(query: string): Promise<SearchReport>;
  stop(): Promise<void>;
}

/** @param pauseMs how long the process takes to embed. */
export async function startSearcher(target: ProgramTarget, pauseMs = 0): Promise<Searcher> {
  const child = startProgram("search-skills", target, [String(pauseMs)], "pipe");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the searching process ended");
    return JSON.parse(value) as SearchReport;
  };
  await answer();
  return {
    async search(query) {
      child.stdin?.write(`${query}\n`);
      return answer();
    },
    async stop() {
      const closed = once(child, "close");
      child.stdin?.end();
      await closed;
    },
  };
}
