import type { Config } from "drizzle-kit";

/** `pnpm generate` writes a migration for what changed in the tables since the last one. */
export default {
  dialect: "postgresql",
  schema: "./src/schema/generated-from.ts",
  out: "./migrations",
} satisfies Config;
