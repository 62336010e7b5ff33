/** Below this many characters a "secret" would blot out ordinary words. */
const minChars = 4;

/** Keeps secrets out of everything that reaches a cell, a log or an error. */
export interface Redactor {
  /** Remembers a secret, also in the shapes in which it travels: base64, URL-encoded, inside JSON. */
  add(secret: string): void;
  /** The text with every remembered secret replaced by `[redacted]`. */
  redact(text: string): string;
}

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  return {
    add(secret) {
      if (secret.length < minChars) return;
      const forms = [
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret).slice(1, -1),
        Buffer.from(secret).toString("base64"),
      ];
      for (const form of forms) known.add(form);
    },
    redact(text) {
      let clean = text;
      // The longest first, so that a secret which holds another goes whole.
      for (const form of [...known].sort((a, b) => b.length - a.length)) {
        if (clean.includes(form)) clean = clean.replaceAll(form, "[redacted]");
      }
      return clean;
    },
  };
}
