import { isSecretName } from "../kernel/kernel-environment.js";

/** A secret known by its value. */
export interface KnownSecret {
  /** What stands in its place: the variable's name, never the value. */
  readonly kind: string;
  readonly text: string;
}

const minLength = 8;

/**
 * The secrets that a session knows: values of variables whose names say so, and those registered on purpose, which are taken as
 * they are. Each also as base64 and as it stands in an address, so that an encoding does not carry it out.
 */
export function knownSecrets(
  environments: readonly Readonly<Record<string, string | undefined>>[],
  registered: readonly string[] = [],
): KnownSecret[] {
  const found = new Map<string, string>();
  for (const text of registered) if (text !== "") addForms(found, text, "secret");
  for (const environment of environments) {
    for (const [name, text] of Object.entries(environment)) {
      if (text !== undefined && isSecretName(name) && isTelling(text)) addForms(found, text, name);
    }
  }
  // The longest first: a secret that begins with another is taken whole.
  return Array.from(found, ([text, kind]) => ({ kind, text })).sort((a, b) => b.text.length - a.text.length);
}

/** Words, small numbers and paths stand in ordinary output as well: hiding them would hide nothing and garble much. */
function isTelling(text: string): boolean {
  if (text.length < minLength || /^[./~]/.test(text) || /\s/.test(text.trim())) return text.includes("PRIVATE KEY");
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
}
