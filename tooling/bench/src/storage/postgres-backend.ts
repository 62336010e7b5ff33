import { openPostgresStorage } from "@artificer/storage-postgres";
import { startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import type { BackendKind } from "./backend.js";

export const postgresBackend: BackendKind = {
  name: "PostgreSQL",
  driver: "pg",
  async open() {
    const server = await startOwnPostgres();
    const storage = await openPostgresStorage({ url: server.url });
    const pool = new pg.Pool({ connectionString: server.url });
    await pool.query('CREATE TABLE bare (key text COLLATE "C" PRIMARY KEY, value text NOT NULL)');
    const upsert = "INSERT INTO bare VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    return {
      storage,
      bare: {
        put: (key, json) => pool.query(upsert, [key, json]),
        async get(key) {
          const { rows } = await pool.query("SELECT value FROM bare WHERE key = $1", [key]);
          return JSON.parse(rows[0].value);
        },
        async list() {
          const { rows } = await pool.query("SELECT key, value FROM bare ORDER BY key");
          return rows.map(({ value }) => JSON.parse(value));
        },
      },
      async close() {
        await storage.close();
        await pool.end();
        await server.stop();
      },
    };
  },
};
