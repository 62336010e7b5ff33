import { ArtificerError } from "@artificer/protocol";
import type { Connection } from "./connection.js";

/** @throws ArtificerError `storage/unsupported` when the server makes room by throwing away keys that nobody marked as temporary. */
export async function checkEviction(connection: Connection, name: string): Promise<void> {
  const reply = await connection.run("read", ["INFO", "memory"]).catch((error: unknown) => {
    // Users without the right to ask, and services that hide it, go unchecked.
    if (ArtificerError.is(error) && error.details.reason === "NOPERM") return "";
    throw error;
  });
  const info = String(reply);
  const value = (field: string) => new RegExp(`^${field}:(\\S+)`, "m").exec(info)?.[1] ?? "";
  const policy = value("maxmemory_policy");
  if (!policy.startsWith("allkeys-")) return;
  throw new ArtificerError(
    "storage/unsupported",
    `${name} has the policy ${policy}: when memory runs short, it throws away what was stored.`,
    {
      details: { policy },
      hint: "Set `maxmemory-policy noeviction` (or a `volatile-` one) on the server, or use another server.",
    },
  );
}
