import type { JsonObject, Storage } from "@artificer/protocol";
import { keyProblem, storageKey } from "@artificer/protocol";
import { createChangeGuard } from "./stored/change-guard.js";
import { listRecords } from "./stored/list-records.js";
import { updateRecord } from "./stored/update-record.js";
import { vectorKey } from "./vector-segment.js";

/** Queries kept a document; the least used go first, then the oldest. */
export const maxQueriesPerDocument = 32;

/** Longest query kept, in characters. */
const maxQueryChars = 500;

/** A query that led to successful uses. */
export interface LearnedQuery {
  text: string;
  uses: number;
}

/** What queries led to which document, kept in records so that every later session and process ranks by them. */
export interface LearnedQueries {
  /** What is stored and was not given yet, by document; those of which nothing is left are empty. */
  news(options?: { signal?: AbortSignal }): Promise<Map<string, LearnedQuery[]>>;
  /** The text as it would be kept. */
  textOf(query: string): string;
  /** @returns the document's queries with this one among them. Two processes that learn at once lose nothing. */
  add(id: string, query: string): Promise<LearnedQuery[]>;
}

export function createLearnedQueries(storage: Storage, prefix: string): LearnedQueries {
  const guard = createChangeGuard(storage, `${prefix}/`);
  const given = new Map<string, { id: string; revision: string }>();
  const textOf = (query: string) => query.trim().replace(/\s+/g, " ").slice(0, maxQueryChars);
  return {
    async news(options) {
      const news = new Map<string, LearnedQuery[]>();
      await guard.ifChanged(async () => {
        const records = await listRecords(storage.records, `${prefix}/`, options);
        const keys = new Set(records.map(({ key }) => key));
        for (const [key, { id }] of given) if (!keys.has(key) && given.delete(key)) news.set(id, []);
        for (const { key, value, revision } of records) {
          if (given.get(key)?.revision === revision) continue;
          const id = String(value.id);
          given.set(key, { id, revision });
          news.set(id, queriesIn(value));
        }
      }, options);
      return news;
    },
    textOf,
    async add(id, query) {
      const text = textOf(query);
      const stored = await updateRecord(storage.records, storageKey(`${prefix}/${keyOf(id)}`), (value) => ({
        id,
        queries: withQuery(queriesIn(value), text).map(({ text, uses }) => ({ text, uses })),
      }));
      return queriesIn(stored);
    },
  };
}

/** Newest last, so that among equally used ones the oldest goes first. */
function withQuery(queries: readonly LearnedQuery[], text: string): LearnedQuery[] {
  if (text === "") return [...queries];
  const same = (query: LearnedQuery) => query.text.toLowerCase() === text.toLowerCase();
  const uses = (queries.find(same)?.uses ?? 0) + 1;
  const kept = queries.filter((query) => !same(query));
  while (kept.length >= maxQueriesPerDocument) {
    const fewest = Math.min(...kept.map((query) => query.uses));
    kept.splice(
      kept.findIndex((query) => query.uses === fewest),
      1,
    );
  }
  return [...kept, { text, uses }];
}

function queriesIn(value: JsonObject | undefined): LearnedQuery[] {
  if (!Array.isArray(value?.queries)) return [];
  return value.queries.flatMap((query) => {
    const { text, uses } = (query ?? {}) as JsonObject;
    return typeof text === "string" && typeof uses === "number" ? [{ text, uses }] : [];
  });
}

/** An id as one segment of a key: readable where it can be. */
function keyOf(id: string): string {
  return keyProblem(id) === undefined && !id.includes("/") ? id : `id-${vectorKey(id)}`;
}
