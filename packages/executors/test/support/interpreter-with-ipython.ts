import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";

/** An interpreter of this machine that can import IPython; undefined where there is none. */
export async function interpreterWithIpython(): Promise<string | undefined> {
  const folders = new Set([...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]);
  for (const folder of folders) {
    for (const name of list(folder).filter((file) => /^python3(\.\d+)?$/.test(file))) {
      try {
        const { path } = await createPythonKernel().findInterpreter({ path: join(folder, name) });
        execFileSync(path, ["-I", "-c", "import IPython"], { stdio: "ignore" });
        return path;
      } catch {
        // Too old, a shim with nothing behind it, or one without IPython.
      }
    }
  }
  return undefined;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
