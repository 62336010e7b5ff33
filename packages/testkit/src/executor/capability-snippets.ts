import type { Language } from "@artificer/protocol";

/** What the cases on capabilities run. */
export interface CapabilitySnippets {
  /** The id of the process that runs the cell. */
  processId: string;
  /** Whether a file can be read. */
  readsFile(path: string): string;
  /** Whether a port of 127.0.0.1 accepts a connection. */
  reaches(port: number): string;
  /** Takes more memory than 1.6 GiB, some of it in the language's own objects. */
  useMemory: string;
  openFiles(count: number): string;
  growFile(bytes: number): string;
  /** Fails when the processes can't be started; ends all that were. */
  startProcesses(count: number): string;
}

export const capabilitySnippets: Record<Language, CapabilitySnippets> = {
  python: {
    processId: "import os\nos.getpid()",
    readsFile: (path) => `import os\nos.access(${JSON.stringify(path)}, os.R_OK)`,
    reaches: (port) =>
      `import socket\ndef reaches():\n    try:\n        socket.create_connection(("127.0.0.1", ${port}), 5).close()\n        return True\n    except OSError:\n        return False\nreaches()`,
    useMemory: 'addresses = bytearray(1 << 31)\nheld = b"x" * (1 << 30)\nlen(held)',
    openFiles: (count) => `import os\nkept = [os.open("/dev/null", os.O_RDONLY) for _ in range(${count})]`,
    growFile: (bytes) =>
      `import os, tempfile\npath = tempfile.mktemp()\ntry:\n    with open(path, "wb", 0) as file: assert file.write(bytes(${bytes})) == ${bytes}\nfinally:\n    os.remove(path)`,
    startProcesses: (count) => `
import os, signal, time
def start():
    started = []
    try:
        for _ in range(${count}):
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            started.append(pid)
        return len(started)
    finally:
        for pid in started:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
start()`,
  },
  typescript: {
    processId: "process.pid",
    readsFile: (path) => `import { existsSync } from "node:fs"\nexistsSync(${JSON.stringify(path)})`,
    reaches: (port) =>
      `import { connect } from "node:net"\nawait new Promise<boolean>((resolve) => { const socket = connect(${port}, "127.0.0.1", () => { socket.destroy(); resolve(true) }); socket.on("error", () => resolve(false)) })`,
    useMemory:
      "const addresses = new ArrayBuffer(2 ** 31)\nconst held: number[][] = []\nwhile (held.length < 2_000) held.push(new Array(100_000).fill(0.5))\nheld.length",
    openFiles: (count) =>
      `import { openSync } from "node:fs"\nconst kept = Array.from({ length: ${count} }, () => openSync("/dev/null", "r"))`,
    growFile: (bytes) =>
      `import { rmSync, writeFileSync } from "node:fs"\nimport { tmpdir } from "node:os"\nimport { join } from "node:path"\nconst path = join(tmpdir(), \`grown-\${process.pid}-\${Math.random()}\`)\ntry { writeFileSync(path, Buffer.alloc(${bytes})) } finally { rmSync(path, { force: true }) }`,
    startProcesses: (count) => `
import { spawn } from "node:child_process"
const started = []
for (let i = 0; i < ${count}; i++) {
  const child = spawn("sleep", ["60"], { stdio: "ignore" })
  child.on("error", () => {})
  if (child.pid === undefined) break
  started.push(child)
}
const count = started.length
for (const child of started) child.kill("SIGKILL")
if (count < ${count}) throw new Error("only " + count + " were started")`,
  },
};
