import type { Row } from "../row.js";
import { fileBackend } from "./file-backend.js";
import { postgresBackend } from "./postgres-backend.js";
import { recordRows } from "./record-rows.js";
import { redisBackend } from "./redis-backend.js";
import { skillRows } from "./skill-rows.js";

/** Each backend with one, a hundred and ten thousand items. They start servers and take minutes: `pnpm bench storage` alone runs them. */
export const storageRows: readonly Row[] = [fileBackend, postgresBackend, redisBackend].flatMap((kind) =>
  [1, 100, 10_000].flatMap((count) => [...recordRows(kind, count), ...skillRows(kind, count)]),
);
