import { randomBytes } from "node:crypto";
import { testStorage } from "@artificer/testkit";
import { type Service, startPostgres } from "@artificer/testkit/services";
import { afterAll, beforeAll } from "vitest";
import { openPostgresStorage } from "../src/open/open-postgres-storage.js";

let server: Service;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

// One schema for all cases: what keeps them apart is the tenant, as in use.
testStorage("The Postgres storage", async () => {
  const options = { url: server.url, schema: "artificer_contract", tenant: randomBytes(6).toString("hex") };
  const storage = await openPostgresStorage(options);
  return { storage, reopen: () => openPostgresStorage(options), close: () => storage.close() };
});
