import { knownSecrets } from "./known-secrets.js";
import { createRedactor, type Redactor } from "./redactor.js";

/** What a session says about secrets. */
export interface RedactionOptions {
  /** `off`: secrets pass; terminal escapes are stripped all the same. Default `on`. */
  redaction?: "on" | "off";
  /** Texts that must never be stored or shown, besides those that look like secrets. */
  secrets?: readonly string[];
  hostEnv?: Readonly<Record<string, string | undefined>>;
  env?: Readonly<Record<string, string>>;
}

/** The redactor of a session: it knows the secrets in the host's environment, those passed on to kernels, and those registered. */
export function sessionRedactor({
  redaction = "on",
  secrets,
  hostEnv = process.env,
  env = {},
}: RedactionOptions): Redactor {
  const on = redaction === "on";
  return createRedactor({ known: on ? knownSecrets([hostEnv, env], secrets) : [], secrets: on });
}
