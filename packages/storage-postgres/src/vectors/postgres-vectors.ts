import {
  checkDimensions,
  checkedVectors,
  checkVector,
  checkVectorId,
  nearestLimit,
  storageKey,
  type VectorHit,
  type VectorStore,
} from "@artificer/protocol";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import { withPostgresErrors } from "../postgres-error.js";
import { createVectorTables } from "../schema/vector-tables.js";
import { type Row, type RunScript, textLiteral } from "./script.js";
import type { VectorExtension } from "./vector-extension.js";
import { createVectorIndexes } from "./vector-index.js";
import { createVectorSets, type VectorSetRow } from "./vector-sets.js";
import { vectorOfBytes, vectorText } from "./vector-text.js";

/** Numbers in one statement, about: some megabytes of text. */
const maxNumbers = 100_000;
const maxIds = 2_000;
/** How far the index looks for a candidate, at least and at most; the extension takes no more. */
const leastEffort = 200;
const mostEffort = 1_000;

export interface PostgresVectorsOptions {
  base: DatabaseBase;
  schema: string;
  script: RunScript;
  extension: VectorExtension;
}

/**
 * Vectors as rows, with all their 32-bit numbers. In a large set an index over half-precision copies finds candidates, some more than
 * wanted, which are ranked again by the full numbers; a small set is ranked by them at once.
 */
export function createPostgresVectors({ base, schema, script, extension }: PostgresVectorsOptions): VectorStore {
  const { db, tenant, gate, name } = base;
  const tables = createVectorTables(schema);
  const { vectors, vectorSets } = tables;
  const sets = createVectorSets(base, tables);
  const indexes = createVectorIndexes({ script, schema, extension });
  const types = `"${extension.schema.replaceAll('"', '""')}"`;
  const ofSet = (id: number) => and(eq(vectors.tenant, tenant), eq(vectors.set, id));
  const rowsOf = async (statement: SQL) => ((await db.execute(statement)) as unknown as { rows: Row[] }).rows;
  // As one value: arrays are coded otherwise by each driver.
  const idList = (ids: readonly string[]) => JSON.stringify(ids.map(hexOf));

  /** Runs what concerns a set as it is now: one that was dropped since we looked is looked for again. */
  async function inSet<T>(setName: string, run: (set: VectorSetRow) => Promise<T>): Promise<T | undefined> {
    const set = await sets.look(setName);
    return set && run(set);
  }

  async function putBatch(setName: string, dimensions: number, batch: readonly [string, Float32Array][]) {
    const value = JSON.stringify(batch.map(([hex, vector]) => [hex, vectorText(vector)]));
    for (;;) {
      const set = sets.known(setName) ?? (await sets.make(setName, dimensions));
      const [, first] = batch[0]!;
      if (set.dimensions !== dimensions) {
        // It may have been dropped and made anew.
        checkDimensions(setName, (await sets.look(setName))?.dimensions ?? dimensions, first);
        continue;
      }
      // The set's row first: a drop holds it and wants the vectors, and who had vectors and wanted the row would wait for it for ever.
      const [live] = await rowsOf(sql`
        WITH live AS (
          SELECT "id" FROM ${vectorSets} WHERE "tenant" = ${tenant} AND "id" = ${set.id} FOR KEY SHARE
        ), written AS (
          INSERT INTO ${vectors} AS old ("tenant", "set", "id", "vector")
          SELECT ${tenant}::text, live."id", decode(entry->>0, 'hex'), (entry->>1)::${sql.raw(types)}.vector
          FROM live, json_array_elements(${value}::json) entry
          ON CONFLICT ("tenant", "set", "id") DO UPDATE SET "vector" = excluded."vector"
          WHERE old."vector" OPERATOR(${sql.raw(types)}.<>) excluded."vector"
        )
        SELECT count(*)::int AS sets FROM live`);
      if (live?.sets === 1) return set;
      sets.remember(setName, undefined);
    }
  }

  function ranking(set: VectorSetRow, vector: Float32Array, limit: number): string[] {
    const query = `'${vectorText(vector)}'::${types}.vector`;
    const distance = `"vector" OPERATOR(${types}.<=>) ${query}`;
    const rows = `SELECT "id", "vector" FROM "${schema}"."vectors" WHERE "tenant" = ${textLiteral(tenant)} AND "set" = ${set.id}`;
    const ranked = (from: string) =>
      `SELECT "id", 1 - (${distance}) AS score FROM (${from}) candidates ORDER BY ${distance} LIMIT ${limit}`;
    const half = `${types}.halfvec(${set.dimensions})`;
    const candidates = limit + Math.max(32, limit >> 2);
    // For more than the index looks at, all are looked at.
    if (!set.indexed || candidates > mostEffort) return [ranked(rows)];
    const effort = Math.max(leastEffort, candidates);
    return [
      // The planner can't know how large the set is before the table was analysed, which an embedded database never does by itself.
      "SET LOCAL enable_sort = off",
      `SET LOCAL hnsw.ef_search = ${effort}`,
      ...(extension.iterative ? ["SET LOCAL hnsw.iterative_scan = relaxed_order"] : []),
      ranked(`${rows} ORDER BY ("vector"::${half}) OPERATOR(${types}.<=>) ${query}::${half} LIMIT ${candidates}`),
    ];
  }

  async function rank(setName: string, vector: Float32Array, limit: number): Promise<VectorHit[]> {
    const look = `SELECT "id", "dimensions", "indexed" FROM "${schema}"."vector_sets"
      WHERE "tenant" = ${textLiteral(tenant)} AND "name" = ${textLiteral(setName)}`;
    for (let set = sets.known(setName) ?? (await sets.look(setName)); set !== undefined; ) {
      if (set.dimensions !== vector.length) set = await sets.look(setName);
      if (set === undefined) break;
      checkDimensions(setName, set.dimensions, vector);
      const results = await script([look, ...ranking(set, vector, limit)]);
      const current = results[0]?.[0] as unknown as VectorSetRow | undefined;
      const isSame = current?.id === set.id && current.indexed === set.indexed;
      sets.remember(setName, current);
      if (isSame) return (results.at(-1) ?? []).map(({ id, score }) => ({ id: textOf(id), score: Number(score) }));
      set = current;
    }
    return [];
  }

  const reading = <T>(run: () => Promise<T>) => withPostgresErrors("read", name, run);
  const writing = <T>(run: () => Promise<T>) => withPostgresErrors("write", name, run);

  return {
    approximate: true,
    put: (rawSet, entries, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        const { byId, dimensions } = checkedVectors(setName, entries);
        // In one order: writers that meet would lock each other out for good otherwise.
        const sorted = [...byId].map(([id, vector]) => [hexOf(id), vector] as [string, Float32Array]);
        sorted.sort(([left], [right]) => (left < right ? -1 : 1));
        const size = Math.max(1, Math.floor(maxNumbers / dimensions));
        for (const batch of inBatches(sorted, size)) {
          signal?.throwIfAborted();
          const set = await writing(() => putBatch(setName, dimensions, batch));
          if (!set.indexed && (await reading(() => indexes.build(set))))
            sets.remember(setName, { ...set, indexed: true });
        }
      }),

    get: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const found = new Map<string, Float32Array>();
        await reading(() =>
          inSet(setName, async (set) => {
            for (const some of inBatches(ids, maxIds)) {
              const rows = await rowsOf(sql`
                SELECT "id", ${sql.raw(types)}.vector_send("vector") AS bytes FROM ${vectors}
                WHERE ${ofSet(set.id)} AND "id" IN (SELECT decode(hex, 'hex') FROM json_array_elements_text(${idList(some)}::json) hex)`);
              for (const { id, bytes } of rows) found.set(textOf(id), vectorOfBytes(bytes as Uint8Array));
            }
          }),
        );
        return found;
      }),

    missing: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const missing = await reading(() =>
          inSet(setName, async (set) => {
            const lacking: string[] = [];
            for (const some of inBatches(ids, maxIds)) {
              const rows = await rowsOf(sql`
                SELECT at::int AS at FROM json_array_elements_text(${idList(some)}::json) WITH ORDINALITY asked(hex, at)
                WHERE NOT EXISTS (SELECT 1 FROM ${vectors} WHERE ${ofSet(set.id)} AND "id" = decode(hex, 'hex')) ORDER BY at`);
              for (const { at } of rows) lacking.push(some[Number(at) - 1]!);
            }
            return lacking;
          }),
        );
        return missing ?? [...ids];
      }),

    delete: (rawSet, ids, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        ids.forEach(checkVectorId);
        const deleted = await writing(() =>
          inSet(setName, async (set) => {
            let count = 0;
            for (const some of inBatches(ids, maxIds)) {
              // Locked in the order in which writers lock.
              const rows = await rowsOf(sql`
                WITH doomed AS (
                  SELECT "id" FROM ${vectors} WHERE ${ofSet(set.id)}
                  AND "id" IN (SELECT decode(hex, 'hex') FROM json_array_elements_text(${idList(some)}::json) hex)
                  ORDER BY "id" FOR UPDATE
                )
                DELETE FROM ${vectors} WHERE ${ofSet(set.id)} AND "id" IN (SELECT "id" FROM doomed) RETURNING 1 AS one`);
              count += rows.length;
            }
            return count;
          }),
        );
        return deleted ?? 0;
      }),

    nearest: (rawSet, vector, options = {}) =>
      gate.pass(options.signal, async () => {
        const setName = storageKey(rawSet);
        const limit = nearestLimit(options);
        checkVector(vector);
        return reading(() => rank(setName, vector, limit));
      }),

    count: (rawSet, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        const count = await reading(() => inSet(setName, ({ id }) => db.$count(vectors, ofSet(id))));
        return count ?? 0;
      }),

    drop: (rawSet, { signal } = {}) =>
      gate.pass(signal, async () => {
        const setName = storageKey(rawSet);
        const condition = and(eq(vectorSets.tenant, tenant), eq(vectorSets.name, setName));
        const [gone] = await writing(() =>
          db.delete(vectorSets).where(condition).returning({ indexed: vectorSets.indexed }),
        );
        sets.remember(setName, undefined);
        if (gone?.indexed) await indexes.sweep();
        return gone !== undefined;
      }),
  };
}

function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

const hexOf = (id: string) => Buffer.from(id, "utf8").toString("hex");
const textOf = (id: unknown) => Buffer.from(id as Uint8Array).toString("utf8");
