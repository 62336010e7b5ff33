import { fileURLToPath } from "node:url";

/** The folder of the clone, wherever a script is called from. */
export const repositoryRoot = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
