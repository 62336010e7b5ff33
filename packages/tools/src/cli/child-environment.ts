/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to find its way, and nothing that could be a secret. */
const allowed = ["PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "TZ", "USER", "LOGNAME"];
const allowedOnWindows = [
  "SystemRoot",
  "SystemDrive",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
];

export interface ChildEnvironmentOptions {
  env?: Record<string, string>;
  passEnv?: readonly string[];
  /** Default: this machine's. */
  platform?: NodeJS.Platform;
}

/**
 * The whole environment of a program: a few harmless variables of the host, those it is to be given by name (`passEnv`),
 * and those its definition sets (`env`), which win.
 */
export function childEnvironment(
  host: Environment,
  { env = {}, passEnv = [], platform = process.platform }: ChildEnvironmentOptions,
): Record<string, string> {
  // Windows takes Path and PATH for one name, and hosts write either.
  const named = (name: string) => (platform === "win32" ? name.toUpperCase() : name);
  const names = new Set([...allowed, ...(platform === "win32" ? allowedOnWindows : []), ...passEnv].map(named));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && (names.has(named(name)) || name.startsWith("LC_"))) result[name] = value;
  }
  const set = new Set(Object.keys(env).map(named));
  for (const name of Object.keys(result)) if (set.has(named(name))) delete result[name];
  return { ...result, ...env };
}
