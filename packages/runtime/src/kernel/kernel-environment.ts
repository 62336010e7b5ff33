import type { Language } from "@artificer/protocol";
import { isManagedCredential } from "./managed-credentials.js";

/** Variables of the host that a kernel may see; everything else is left behind. */
const passed = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "TERM",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "CONDA_DEFAULT_ENV",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
]);

const proxies = new Set(["HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"]);

const certificates = new Set([
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "PIP_CERT",
  "GIT_SSL_CAINFO",
]);

/** Names that look like secrets pass only when they are asked for one by one. */
const secretName =
  /(_|^)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS|AUTH|BEARER|COOKIE|PRIVATE|DSN|WEBHOOK|APIKEY)(_|$|S$)|API_?KEY/i;

/** Where a kernel finds itself: the only ARTIFICER_ variables that it gets. */
export interface KernelLocation {
  home: string;
  session: string;
  base: string;
  language: Language;
}

/** What passes besides the list. */
export interface EnvironmentRules {
  /** Exact names that the configuration or a skill asks for. Managed credentials never pass. */
  passthrough?: readonly string[];
  /** The proxies' variables, which may hold a password. Default false. */
  passProxies?: boolean;
  /** The variables that name certificate files. Default false. */
  passCertificates?: boolean;
  /** Values that no kernel gets, whatever variable holds them and whoever asks for it. */
  withheld?: readonly string[];
}

/** Variables of the host, by name; undefined counts as absent. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** True for a variable whose name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Of the host's environment, what a kernel may see: built anew, never by deleting from the host's. */
export function passedEnvironment(host: HostEnvironment, rules: EnvironmentRules = {}): Record<string, string> {
  const asked = new Set(rules.passthrough);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || isManagedCredential(name) || isWithheld(value, rules)) continue;
    if (asked.has(name) || (isListed(name, rules) && !isSecretName(name))) env[name] = value;
  }
  return env;
}

/**
 * The whole environment of a kernel: what passes of the host's, what the caller sets on purpose, and four location variables.
 */
export function kernelEnvironment(
  host: HostEnvironment,
  location: KernelLocation,
  { extra = {}, ...rules }: EnvironmentRules & { extra?: Readonly<Record<string, string>> } = {},
): Record<string, string> {
  const env = passedEnvironment(host, rules);
  for (const [name, value] of Object.entries(extra)) {
    // Exactly four of ours: others could be taken for settings.
    if (!name.toUpperCase().startsWith("ARTIFICER_") && !isWithheld(value, rules)) env[name] = value;
  }
  env.ARTIFICER_HOME = location.home;
  env.ARTIFICER_SESSION = location.session;
  env.ARTIFICER_BASE = location.base;
  env.ARTIFICER_LANGUAGE = location.language;
  return env;
}

/** Also as a part of the value: what holds a key gives it away. */
export function isWithheld(value: string, { withheld = [] }: EnvironmentRules): boolean {
  return withheld.some((each) => value.includes(each));
}

function isListed(name: string, { passProxies, passCertificates }: EnvironmentRules): boolean {
  const upper = name.toUpperCase();
  if (passed.has(upper) || name.startsWith("LC_")) return true;
  return (passProxies === true && proxies.has(upper)) || (passCertificates === true && certificates.has(upper));
}
