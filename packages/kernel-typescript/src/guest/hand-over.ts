import type { KernelStartParams } from "@artificer/protocol";
import { enterFolder } from "./primordials.js";

/** Takes over what a kernel lacks that was started before its session was known: the working folder and the environment. */
export function takeOver({ cwd, env }: Pick<KernelStartParams, "cwd" | "env">): void {
  if (cwd !== undefined) enterFolder(cwd);
  if (env === undefined) return;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  // Node sees to the clock's zone when TZ is set here.
  Object.assign(process.env, env);
}
