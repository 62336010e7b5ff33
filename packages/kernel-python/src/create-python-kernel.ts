import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Interpreter, KernelProgram } from "@artificer/protocol";
import { cacheByteCode } from "./cache-byte-code.js";
import { findPython } from "./find-python.js";

export interface PythonKernelOptions {
  /** A virtual environment's folder: its interpreter is used unless a path is asked for. */
  virtualEnv?: string;
  /** The folder list that `python3` is looked for in, in the form of PATH. Default: this process's own PATH. */
  searchPath?: string;
  /** Keeps the byte code of the kernel's own files. Default: a folder of this user's. */
  cacheFolder?: string;
}

/** The Python kernel: standard library only, any CPython from 3.9. */
export function createPythonKernel(options: PythonKernelOptions = {}): KernelProgram {
  const cacheFolder = options.cacheFolder ?? join(defaultCacheFolder(), "python");
  const folder = fileURLToPath(new URL("../kernel", import.meta.url));
  return {
    language: "python",
    snapshots: true,
    handOver: true,
    folder,
    cacheFolder,
    prepare: (interpreter, request) => cacheByteCode(interpreter, { folder, cacheFolder, signal: request?.signal }),
    findInterpreter: (request = {}) =>
      findPython({
        path: request.path,
        virtualEnv: options.virtualEnv,
        searchPath: options.searchPath,
        ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
        signal: request.signal,
      }),
    command: (interpreter: Interpreter, { folder, wire }) => [
      interpreter.path,
      // Isolated and without site: the kernel sets site-packages up when a cell first needs them.
      "-I",
      "-S",
      "-X",
      "utf8",
      join(folder, "main.py"),
      wire,
      cacheFolder,
    ],
  };
}

function defaultCacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME;
  return join(base?.startsWith("/") ? base : join(homedir(), ".cache"), "artificer");
}
