import type { Row } from "../row.js";
import { fileBackend } from "./file-backend.js";
import { memoryBackend } from "./memory-backend.js";
import { pgliteBackend } from "./pglite-backend.js";
import { postgresBackend } from "./postgres-backend.js";
import { recordRows } from "./record-rows.js";
import { redisBackend } from "./redis-backend.js";
import { skillRows } from "./skill-rows.js";
import { createStage } from "./stage.js";

const stage = createStage();
const kinds = [memoryBackend, fileBackend, postgresBackend, pgliteBackend, redisBackend];
const counts = [1, 100, 10_000];

/** Each backend with one, a hundred and ten thousand items. They start servers and take minutes: `pnpm bench storage` alone runs them. */
export const storageRows: readonly Row[] = kinds.flatMap((kind) =>
  counts.flatMap((count) => [...recordRows(kind, count, stage), ...skillRows(kind, count, stage)]),
);

/** Ends what the last of them measured. */
export const closeStorageRows = stage.close;
