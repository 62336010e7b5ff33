import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Interpreter } from "@artificer/protocol";

const run = promisify(execFile);
const timeoutMs = 20_000;

/** The prefix is set late, so that no module of Python's own gets into the folder. */
const compile = `
import compileall, sys
sys.pycache_prefix = sys.argv[2]
compileall.compile_dir(sys.argv[1], quiet=2)
`;

/**
 * Compiles the kernel's own files into the cache folder where that is out of date, for kernels that may read but not
 * write it. Silent where it can't: such a kernel compiles them itself, and starts later.
 */
export async function cacheByteCode(
  interpreter: Interpreter,
  { folder, cacheFolder, signal }: { folder: string; cacheFolder: string; signal?: AbortSignal | undefined },
): Promise<void> {
  if (isFresh(interpreter, folder, cacheFolder)) return;
  await run(interpreter.path, ["-I", "-S", "-X", "utf8", "-c", compile, folder, cacheFolder], {
    timeout: timeoutMs,
    windowsHide: true,
    ...(signal === undefined ? {} : { signal }),
  }).catch(() => undefined);
}

function isFresh({ version }: Interpreter, folder: string, cacheFolder: string): boolean {
  const [major, minor] = version.split(".");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .every((name) => {
      const compiled = join(cacheFolder, folder, `${name.slice(0, -".py".length)}.cpython-${major}${minor}.pyc`);
      const age = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs;
      return age !== undefined && age >= statSync(join(folder, name)).mtimeMs;
    });
}
