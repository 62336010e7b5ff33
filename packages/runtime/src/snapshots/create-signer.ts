import { createHmac, timingSafeEqual } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";

/** Proves that stored bytes are those that were saved for this session: HMAC-SHA256 with a key that no kernel sees. */
export interface Signer {
  /** @returns the signature of the parts in this order, in hexadecimal. */
  sign(...parts: (string | Uint8Array)[]): string;
  verify(signature: string, ...parts: (string | Uint8Array)[]): boolean;
}

const minKeyBytes = 32;

/** @throws ArtificerError `usage/invalid-argument` for a key of fewer than 32 bytes. */
export function createSigner(key: Uint8Array): Signer {
  if (key.byteLength < minKeyBytes) {
    throw new ArtificerError("usage/invalid-argument", `A snapshot key has at least ${minKeyBytes} bytes.`, {
      details: { bytes: key.byteLength },
      hint: "Use crypto.randomBytes(32), and keep it where only the host can read it.",
    });
  }
  const sign: Signer["sign"] = (...parts) => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) {
      // Each with its length before it: no two lists of parts give the same text.
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      hmac.update(`${bytes.byteLength}:`).update(bytes);
    }
    return hmac.digest("hex");
  };
  return {
    sign,
    verify(signature, ...parts) {
      const expected = Buffer.from(sign(...parts));
      const given = Buffer.from(signature);
      return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
    },
  };
}
