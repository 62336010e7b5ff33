import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Tells the size of a folder again and again. */
export interface FolderGauge {
  /** All files in it, in bytes. */
  bytes(): Promise<number>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("../../dist/soak/folder-size.js", import.meta.url));

/** In a process of its own: listing thousands of files in the one whose memory is measured would be what is measured. */
export function startFolderGauge(folder: string): FolderGauge {
  const child: ChildProcess = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.on("error", () => {}); // told by the missing answer
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    async bytes() {
      child.stdin?.write("\n");
      const { value, done } = await lines.next();
      if (done) throw new Error(`the process that looks at ${folder} ended`);
      return Number(value);
    },
    async stop() {
      child.stdin?.end();
      await closed;
    },
  };
}
