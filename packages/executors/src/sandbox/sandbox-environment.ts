import { sandboxUser } from "./sandbox-arguments.js";

/** The kernel's environment as it is true inside: its own home and user, and no paths that lead nowhere. */
export function sandboxEnvironment(
  env: Readonly<Record<string, string>>,
  isVisible: (folder: string) => boolean,
): Record<string, string> {
  const inside: Record<string, string> = { ...env, HOME: "/tmp" };
  for (const name of ["USER", "LOGNAME"]) if (name in env) inside[name] = sandboxUser.name;
  if ("SHELL" in env) inside.SHELL = "/bin/sh";
  if ("TMPDIR" in env) inside.TMPDIR = "/tmp";
  const path = (env.PATH ?? "").split(":").filter((folder) => folder !== "" && isVisible(folder));
  inside.PATH = [...new Set([...path, "/usr/bin", "/bin"])].join(":");
  return inside;
}
