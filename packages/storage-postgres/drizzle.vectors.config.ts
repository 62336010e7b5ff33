import type { Config } from "drizzle-kit";

/** The tables that need the extension, with migrations of their own. */
export default {
  dialect: "postgresql",
  schema: "./src/schema/generated-from-vectors.ts",
  out: "./migrations-vectors",
} satisfies Config;
