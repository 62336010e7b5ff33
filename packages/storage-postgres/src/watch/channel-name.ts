import { createHash } from "node:crypto";

/** The channel of one tenant in one schema; the server allows 63 bytes. */
export function channelName(schema: string, tenant: string): string {
  return `artificer_${createHash("sha256").update(`${schema}\n${tenant}`).digest("hex").slice(0, 32)}`;
}
