import { createHmac, timingSafeEqual } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";

/** Proves that stored bytes are those that were saved for this session: HMAC-SHA256 with a key that no kernel sees. */
export interface Signer {
  /** Which key signs: tells keys apart, and says nothing of them. */
  readonly keyId: string;
  /** Whether a key of this id is among those whose signatures are accepted. */
  knows(keyId: string): boolean;
  /** @returns the signature of the parts in this order, in hexadecimal. */
  sign(...parts: (string | Uint8Array)[]): string;
  /** @returns the id of the key that signed the parts; undefined when it was none of ours, or they are others. */
  signedBy(signature: string, ...parts: (string | Uint8Array)[]): string | undefined;
}

const minKeyBytes = 32;

/**
 * @param keys the first signs; what the others have signed is accepted too, so that a key can be replaced by another.
 * @throws ArtificerError `usage/invalid-argument` for no key, or one of fewer than 32 bytes.
 */
export function createSigner(keys: Uint8Array | readonly Uint8Array[]): Signer {
  const given = keys instanceof Uint8Array ? [keys] : keys;
  if (given.length === 0) throw refused("There is no snapshot key in the list.", 0);
  const hands = given.map(createHand);
  const [first] = hands as [Hand, ...Hand[]];
  return {
    keyId: first.id,
    knows: (keyId) => hands.some(({ id }) => id === keyId),
    sign: first.sign,
    signedBy(signature, ...parts) {
      const written = Buffer.from(signature);
      return hands.find(({ sign }) => {
        const expected = Buffer.from(sign(...parts));
        return written.byteLength === expected.byteLength && timingSafeEqual(written, expected);
      })?.id;
    },
  };
}

interface Hand {
  id: string;
  sign: Signer["sign"];
}

function createHand(key: Uint8Array): Hand {
  if (key.byteLength < minKeyBytes)
    throw refused(`A snapshot key has at least ${minKeyBytes} bytes, and this one ${key.byteLength}.`, key.byteLength);
  const sign: Signer["sign"] = (...parts) => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) {
      // Each with its length before it: no two lists of parts give the same text.
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      hmac.update(`${bytes.byteLength}:`).update(bytes);
    }
    return hmac.digest("hex");
  };
  return { id: sign("the id of this key").slice(0, 12), sign };
}

function refused(message: string, bytes: number): ArtificerError {
  return new ArtificerError("usage/invalid-argument", message, {
    details: { bytes },
    hint: "Use crypto.randomBytes(32), and keep it where only the host can read it.",
  });
}
