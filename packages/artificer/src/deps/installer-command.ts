import { programsOnPath } from "@artificer/kernel-python";

/** uv's path, where it is on the search path. */
export function findUv(searchPath: string): string | undefined {
  return programsOnPath("uv", searchPath)[0];
}

/** What installs packages for an interpreter: uv, else the interpreter's own pip. The rest of the arguments is the same for both. */
export function installerCommand(python: string, uv: string | undefined): string[] {
  if (uv !== undefined) return [uv, "pip", "install", "--python", python, "--no-progress"];
  return [python, "-I", "-m", "pip", "install", "--no-input", "--progress-bar", "off", "--no-warn-script-location"];
}
