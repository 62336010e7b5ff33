import { fileURLToPath } from "node:url";

/** The folder of the clone. */
export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url)).replace(/[\\/]$/, "");
