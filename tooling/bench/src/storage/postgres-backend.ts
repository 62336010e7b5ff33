import { openPostgresStorage } from "@artificer/storage-postgres";
import { startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import type { BackendKind } from "./backend.js";
import { createSqlDriver } from "./sql-driver.js";

export const postgresBackend: BackendKind = {
  name: "PostgreSQL",
  driver: "pg",
  async open() {
    const server = await startOwnPostgres();
    const open = () => openPostgresStorage({ url: server.url });
    const storage = await open();
    const pool = new pg.Pool({ connectionString: server.url });
    return {
      storage,
      reopen: open,
      openQuickly: open,
      bare: await createSqlDriver((text, values) => pool.query(text, values)),
      async close() {
        await storage.close();
        await pool.end();
        await server.stop();
      },
    };
  },
};
