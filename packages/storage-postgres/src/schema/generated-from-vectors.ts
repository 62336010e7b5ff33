import { createVectorTables } from "./vector-tables.js";

/** What drizzle-kit makes the migrations of vectors of: they are applied only where the extension is. */
export const { vectorSets, vectors } = createVectorTables();
