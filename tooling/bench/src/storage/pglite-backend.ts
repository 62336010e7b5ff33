import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPgliteStorage } from "@artificer/storage-postgres/pglite";
import { PGlite } from "@electric-sql/pglite";
import type { BackendKind } from "./backend.js";
import { createSqlDriver } from "./sql-driver.js";

export const pgliteBackend: BackendKind = {
  name: "PGlite",
  driver: "PGlite",
  isSlowToWrite: true,
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "artificer-bench-"));
    const client = await PGlite.create(join(folder, "data"));
    // One process has it open, so every opening shares the one client.
    const open = () => openPgliteStorage({ client });
    const storage = await open();
    return {
      storage,
      reopen: open,
      openQuickly: open,
      bare: await createSqlDriver((text, values) => client.query(text, values)),
      async close() {
        await storage.close();
        await client.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
