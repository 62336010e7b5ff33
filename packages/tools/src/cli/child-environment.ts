/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to find its way, and nothing that could be a secret. */
const allowed = new Set(["PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "TZ", "USER", "LOGNAME"]);
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

/**
 * The whole environment of a program: a few harmless variables of the host, those it is to be given by name (`passEnv`),
 * and those its definition sets (`env`), which win.
 */
export function childEnvironment(
  host: Environment,
  { env = {}, passEnv = [] }: { env?: Record<string, string>; passEnv?: readonly string[] },
): Record<string, string> {
  const result: Record<string, string> = {};
  const names = [...allowed, ...(process.platform === "win32" ? allowedOnWindows : []), ...passEnv];
  for (const name of names) {
    const value = host[name];
    if (value !== undefined) result[name] = value;
  }
  for (const [name, value] of Object.entries(host)) {
    if (name.startsWith("LC_") && value !== undefined) result[name] = value;
  }
  return { ...result, ...env };
}
