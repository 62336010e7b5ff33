import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { createPythonKernel } from "@artificer/kernel-python";

const run = promisify(execFile);

/** An interpreter and whether it has IPython. */
export interface FoundPython {
  path: string;
  ipython: boolean;
}

/** Every interpreter of the search path and the usual places that is new enough, each once. */
export async function pythonsOfThisMachine(): Promise<FoundPython[]> {
  const kernel = createPythonKernel();
  const found = new Map<string, FoundPython>();
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]) {
    const candidate = join(folder, "python3");
    if (!existsSync(candidate)) continue;
    try {
      const { path } = await kernel.findInterpreter({ path: candidate });
      const binary = realpathSync(path);
      if (found.has(binary)) continue;
      const ipython = await run(path, ["-c", "import IPython"]).then(
        () => true,
        () => false,
      );
      found.set(binary, { path, ipython });
    } catch {
      // Too old, or a shim with nothing behind it.
    }
  }
  return [...found.values()];
}
