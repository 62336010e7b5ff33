import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@artificer/protocol";

/** Hashes bytes that pass by; `digest` then gives the hash of them and the metadata. */
export function createBlobHash(metadata: JsonObject): {
  through(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  digest(): string;
} {
  const hash = createHash("sha256");
  return {
    async *through(bytes) {
      for await (const chunk of bytes) {
        hash.update(chunk);
        yield chunk;
      }
    },
    digest: () => createHash("sha256").update(hash.digest()).update(canonical(metadata)).digest("hex"),
  };
}

/** Stores keep the order of names or not; it says nothing. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
