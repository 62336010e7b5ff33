import { spawn } from "node:child_process";

/** A bare interpreter behind a pipe: `-I -S`, reading and writing by `os` alone. */
export interface BarePython {
  /** Writes `bytes` and resolves once `answerBytes` have come back. One exchange at a time. */
  exchange(bytes: Uint8Array, answerBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Writes back what it reads, line by line, each in a write of its own. */
export const echoProgram = `
import os, sys
for line in sys.stdin.buffer:
    os.write(1, line)
`;

/** Answers every byte it reads by 16 MiB. */
export const pourProgram = `
import os
data = memoryview(bytes(16 << 20))
while os.read(0, 1):
    sent = 0
    while sent < len(data):
        sent += os.write(1, data[sent:])
`;

/** Starts a program of the two above. */
export async function openBarePython(python: string, program: string): Promise<BarePython> {
  const child = spawn(python, ["-I", "-S", "-c", program], { stdio: ["pipe", "pipe", "inherit"] });
  let missing = 0;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    missing -= chunk.byteLength;
    if (missing <= 0) settle?.resolve();
  });
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    settle?.reject(failure);
  };
  child.stdin.on("error", () => {}); // the end of the interpreter is told below
  child.once("error", fail);
  const ended = new Promise<void>((resolve) => {
    child.once("close", (code) => {
      fail(new Error(`the bare interpreter ended with ${code}`));
      resolve();
    });
  });
  return {
    exchange: (bytes, answerBytes) =>
      new Promise<void>((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        missing = answerBytes;
        settle = { resolve, reject };
        child.stdin.write(bytes);
      }),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
