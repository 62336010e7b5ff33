import { dirname } from "node:path";
import { type BuildJob, buildScript } from "./build-script.js";
import { pruneInstallations } from "./prune-installations.js";
import { type RunScriptOptions, runScript } from "./run-script.js";

/** How a build ended; `status` 0: the folder is there and whole. */
export interface BuildResult {
  status: number | null;
  output: string;
  timedOut: boolean;
}

const cleaningMs = 60_000;

/**
 * Makes a folder by `buildScript`, or waits for whoever makes it. Stopped by `signal` or its time limit it leaves nothing, and
 * whatever it started has ended.
 */
export async function runBuild(python: string, job: BuildJob, options: RunScriptOptions): Promise<BuildResult> {
  try {
    const result = await runScript(python, buildScript, { ...job, clean: false }, options);
    if (result.status === 0) await pruneInstallations(dirname(job.target));
    else if (result.status === null) await clean(python, job, options);
    return result;
  } catch (thrown) {
    await clean(python, job, options);
    throw thrown;
  }
}

/** What can't be removed now is removed by the next build: how the build itself ended is what is told. */
async function clean(python: string, job: BuildJob, { env }: RunScriptOptions): Promise<void> {
  await runScript(python, buildScript, { ...job, clean: true }, { env, timeoutMs: cleaningMs }).catch(() => undefined);
}
