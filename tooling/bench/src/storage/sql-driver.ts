import type { BareDriver } from "./backend.js";

/** Runs a statement by the driver alone. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: Array<Record<string, unknown>> }>;

const table = 'CREATE TABLE bare (key text COLLATE "C" PRIMARY KEY, value text NOT NULL)';
const upsert = "INSERT INTO bare VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
/** Keys that begin so, by way of the index. */
const under = (prefix: string) => `tenant = 'default' AND key >= '${prefix}/' AND key < '${prefix}0' ORDER BY key`;

/** Records in a table of their own, and the rows of our tables as they are. */
export async function createSqlDriver(run: RunSql): Promise<BareDriver> {
  await run(table);
  return {
    put: (key, json) => run(upsert, [key, json]),
    async get(key) {
      const { rows } = await run("SELECT value FROM bare WHERE key = $1", [key]);
      return JSON.parse(String(rows[0]?.value));
    },
    async list() {
      const { rows } = await run("SELECT key, value FROM bare ORDER BY key");
      return rows.map(({ value }) => JSON.parse(String(value)));
    },
    readSkills: () => run(`SELECT key, bytes FROM artificer.blobs WHERE ${under("skills")}`),
    async readLibrary() {
      await run(`SELECT key, revision, value FROM artificer.records WHERE ${under("skill-index")}`);
      await run(`SELECT key, revision, size, metadata, updated_at FROM artificer.blobs WHERE ${under("skills")}`);
      await run("SELECT bytes FROM artificer.blob_chunks ORDER BY version, index");
      await run(`SELECT key, bytes FROM artificer.blobs WHERE ${under("search")}`);
    },
  };
}
