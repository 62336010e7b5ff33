import type { Language } from "@artificer/protocol";

/** Variables of the host that a kernel may see; everything else is left behind. */
const passed = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TERM",
  "SYSTEMROOT",
  "COMSPEC",
  "PATHEXT",
];

/** Names that look like secrets never pass, whatever else asks for them. */
const secretName =
  /(_|^)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|PRIVATE|APIKEY)(_|$|S$)|API_?KEY/i;

/** Where a kernel finds itself: the only ARTIFICER_ variables that it gets. */
export interface KernelLocation {
  home: string;
  session: string;
  base: string;
  language: Language;
}

/** True for a variable whose name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/**
 * The whole environment of a kernel: an allow-list of the host's, `LC_*`, what the caller passes on purpose, and four
 * location variables. Built anew, never by deleting from the host's.
 */
export function kernelEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  location: KernelLocation,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || isSecretName(name)) continue;
    if (passed.includes(name.toUpperCase()) || name.startsWith("LC_")) env[name] = value;
  }
  Object.assign(env, extra);
  env.ARTIFICER_HOME = location.home;
  env.ARTIFICER_SESSION = location.session;
  env.ARTIFICER_BASE = location.base;
  env.ARTIFICER_LANGUAGE = location.language;
  return env;
}
