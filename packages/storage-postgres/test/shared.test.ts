import { testSharedStorage } from "@artificer/testkit";
import { startOwnPostgres } from "@artificer/testkit/services";

testSharedStorage("The Postgres storage", {
  start: () => startOwnPostgres(),
  module: new URL("../dist/index.js", import.meta.url).href,
  factory: "openPostgresStorage",
  options: ({ host, port }) => ({ url: `postgres://postgres@${host}:${port}/postgres` }),
  impatient: { statementTimeoutMs: 1_000 },
});
