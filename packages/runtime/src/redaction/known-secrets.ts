import { ArtificerError } from "@artificer/protocol";
import { isSecretName } from "../kernel/kernel-environment.js";

/** A secret known by its value. */
export interface KnownSecret {
  /** What stands in its place: the variable's name, never the value. */
  readonly kind: string;
  readonly text: string;
}

const minLength = 8;
const minRegistered = 4;
const minLine = 32;

/**
 * The secrets that a session knows: values of variables whose names say so, and those registered on purpose, which are taken as
 * they are. Each also as base64 and as it stands in an address, so that an encoding does not carry it out.
 *
 * @throws ArtificerError `usage/invalid-argument` for a registered text that is too short to be told from any other.
 */
export function knownSecrets(
  environments: readonly Readonly<Record<string, string | undefined>>[],
  registered: readonly string[] = [],
): KnownSecret[] {
  const found = new Map<string, string>();
  for (const [at, text] of registered.entries()) {
    if (typeof text !== "string" || text.length < minRegistered) throw tooShort(at, text);
    addForms(found, text, "secret");
  }
  for (const environment of environments) {
    for (const [name, text] of Object.entries(environment)) {
      if (text === undefined) continue;
      if (isSecretName(name) && isTelling(text)) addForms(found, text, name);
      const password = /:\/\/[^\s/:@]*:([^\s/@]+)@/.exec(text)?.[1];
      if (password !== undefined && isTelling(password)) addForms(found, password, name);
    }
  }
  // The longest first: a secret that begins with another is taken whole.
  return Array.from(found, ([text, kind]) => ({ kind, text })).sort((a, b) => b.text.length - a.text.length);
}

/** A secret that becomes known later, in all its forms; none for a text too short to be told from any other. */
export function secretForms(kind: string, text: string): KnownSecret[] {
  const found = new Map<string, string>();
  if (text.length >= minRegistered) addForms(found, text, kind);
  return Array.from(found, ([form, of]) => ({ kind: of, text: form }));
}

/** Words, small numbers and paths stand in ordinary output as well: hiding them would hide nothing and garble much. */
function isTelling(text: string): boolean {
  if (text.length < minLength || /^[./~]/.test(text)) return false;
  return !(/^[a-z]+$/i.test(text) && text.length < 16) && !(/^\d+$/.test(text) && text.length < 12);
}

function addForms(found: Map<string, string>, text: string, kind: string): void {
  const add = (form: string) => {
    if (!found.has(form)) found.set(form, kind);
  };
  add(text);
  if (text.length < minLength) return;
  add(Buffer.from(text).toString("base64").replace(/=+$/, ""));
  add(encodeURIComponent(text));
  const escaped = JSON.stringify(text).slice(1, -1);
  if (escaped !== text) add(escaped);
  // A key of several lines may come out a line at a time.
  if (text.includes("\n")) text.split(/\s*\n/).filter(isKeyLine).forEach(add);
}

function isKeyLine(line: string): boolean {
  return line.length >= minLine && !line.startsWith("-----");
}

function tooShort(at: number, text: unknown): ArtificerError {
  const problem = typeof text === "string" ? `has ${text.length} characters` : `is no text but ${typeof text}`;
  return new ArtificerError(
    "usage/invalid-argument",
    `secrets[${at}] ${problem}; a secret to redact has at least ${minRegistered}.`,
    {
      details: { field: `secrets[${at}]`, minLength: minRegistered },
      hint: "Shorter texts stand everywhere, so hiding them would garble all output.",
    },
  );
}
