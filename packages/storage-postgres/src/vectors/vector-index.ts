import type { RunScript } from "./script.js";
import type { VectorExtension } from "./vector-extension.js";
import type { VectorSetRow } from "./vector-sets.js";

/** Vectors from which on a set has an index: fewer are ranked as fast without, and building it then takes a second or two. */
export const indexedFrom = 2_000;
/** The most that half precision can be indexed with. */
const maxIndexedDimensions = 4_000;
/** Any number; with it and the set's, of those who would build an index one does. */
const lock = 812_077;
const longestBuildMs = 6 * 3_600_000;
const retryAfterMs = 300_000;

export interface VectorIndexOptions {
  script: RunScript;
  schema: string;
  extension: VectorExtension;
}

/** Gives large sets an index each, and takes those of dropped sets away. */
export interface VectorIndexes {
  /** Makes the set's index when it is large enough. @returns whether it has one. */
  build(set: VectorSetRow): Promise<boolean>;
  /** Removes the indexes of sets that are no more. */
  sweep(): Promise<void>;
}

/**
 * An index for each set and none for all: a search then looks at its own set alone, so that a small one beside a large one gives all it has;
 * and numbers of any dimensions can lie in one table. Reads go on while one is built; writes of vectors wait.
 */
export function createVectorIndexes({ script, schema, extension }: VectorIndexOptions): VectorIndexes {
  const types = `"${extension.schema.replaceAll('"', '""')}"`;
  // Of another's lock, or a right that is missing: without the index all works, only slower, so that nobody is told at once.
  const notBefore = new Map<number, number>();

  const sweep = async () => {
    const stale = `SELECT indexname FROM pg_catalog.pg_indexes WHERE schemaname = '${schema}' AND indexname ~ '^vectors_set_[0-9]+$'
      AND NOT EXISTS (SELECT 1 FROM "${schema}"."vector_sets" WHERE id = substring(indexname FROM 13)::int)`;
    const loop = `FOR name IN ${stale} LOOP EXECUTE format('DROP INDEX IF EXISTS %I.%I', '${schema}', name); END LOOP`;
    const statements = ["SET LOCAL lock_timeout = '2s'", `DO $do$ DECLARE name text; BEGIN ${loop}; END $do$`];
    await script(statements).catch(() => {});
  };

  return {
    sweep,
    async build({ id, dimensions }) {
      if (!extension.mayIndex || dimensions > maxIndexedDimensions) return false;
      if (performance.now() < (notBefore.get(id) ?? 0)) return false;
      const [counted] = await script([
        `SELECT count(*)::int AS count FROM (SELECT 1 FROM "${schema}"."vectors" WHERE "set" = ${id} LIMIT ${indexedFrom}) few`,
      ]);
      if (Number(counted?.[0]?.count) < indexedFrom) return false;
      const create = `CREATE INDEX IF NOT EXISTS "vectors_set_${id}" ON "${schema}"."vectors"
        USING hnsw (("vector"::${types}.halfvec(${dimensions})) ${types}.halfvec_cosine_ops) WHERE "set" = ${id}`;
      const mark = `UPDATE "${schema}"."vector_sets" SET indexed = true WHERE id = ${id}`;
      const alone = `IF pg_try_advisory_xact_lock(${lock}, ${id}) THEN ${create}; ${mark}; END IF`;
      const statements = [
        "SET LOCAL statement_timeout = 0",
        "SET LOCAL lock_timeout = '5s'",
        `DO $do$ BEGIN ${alone}; END $do$`,
        `SELECT indexed FROM "${schema}"."vector_sets" WHERE id = ${id}`,
      ];
      try {
        const results = await script(statements, { timeoutMs: longestBuildMs });
        return results.at(-1)?.[0]?.indexed === true;
      } catch {
        notBefore.set(id, performance.now() + retryAfterMs);
        return false;
      }
    },
  };
}
