import type { Environment } from "./expand-variables.js";

/*
 * What a program needs to run at all: where programs and temporary files are, and how text looks.
 * Nothing that commonly holds a credential; a server gets more only when its definition says so.
 */
const always = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
const onWindows = [
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
  ...["PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
];

/** The few variables of the host that every server gets. */
export function serverEnvironment(environment: Environment, platform = process.platform): Record<string, string> {
  const names = new Set(platform === "win32" ? onWindows : always);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !names.has(platform === "win32" ? name.toUpperCase() : name)) continue;
    // A shell's exported function would be code, not a setting.
    if (!value.startsWith("()")) kept[name] = value;
  }
  return kept;
}
