import type { Storage } from "@artificer/protocol";
import type { LearningTarget } from "./learner-protocol.js";

/** A hundred processes share the server's connections, so each has one or few. */
export async function openLearningStorage({ kind, address }: LearningTarget): Promise<Storage> {
  if (kind === "files") return (await import("@artificer/storage-file")).openFileStorage(address);
  if (kind === "Redis") return (await import("@artificer/storage-redis")).openRedisStorage({ url: address });
  const { openPostgresStorage } = await import("@artificer/storage-postgres");
  return openPostgresStorage({ url: address, maxConnections: 1 });
}
