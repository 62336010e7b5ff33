import type { Language } from "@artificer/protocol";
import { type CapabilitySnippets, capabilitySnippets } from "./capability-snippets.js";

/** What the executor suite runs, in each language: a language more, and this table no longer compiles until it is answered. */
export interface Snippets extends CapabilitySnippets {
  value: string;
  setCounter: string;
  readCounter: string;
  printBoth: string;
  childOutput: string;
  fail: string;
  failLine: number;
  failType: string;
  syntaxError: string;
  topLevelAwait: string;
  unicode: string;
  bytes: string;
  bigInteger: string;
  /** Two million characters, and how the next cells ask for their number. */
  large: string;
  largeType: string;
  largeRead: string;
  share: string;
  take: string;
  busyLoop: string;
  sleepForever: string;
  printThenBusy: string;
  uninterruptible: string;
  exitZero: string;
  exitThree: string;
  dieNow: string;
  /** What the error then names. */
  dieNowTold: string;
  killSelf: string;
  readStdin: string;
  flood(bytes: number): string;
  shadowTools: string;
  unshadowTools: string;
  breakBuiltins: string;
  recursion: string;
  writeEveryDescriptor: string;
  closeDescriptors: string;
  forkAndReturn: string;
  /** Prints when `calc.hold` has answered, and calls `calc.told` then. */
  lateOutput: string;
  callAdd(a: number, b: number): string;
  callMany(count: number): string;
  callSlow: string;
  callSlowTwice: string;
  callWrongName: string;
  callWrongArgument: string;
  callFailing: string;
  catchFailing: string;
  environment: string;
  processGroupChild: string;
  showPng: string;
}

/** One red pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

export const snippets = {
  python: {
    ...capabilitySnippets.python,
    value: "1 + 1",
    setCounter: "counter = 41",
    readCounter: "counter + 1",
    printBoth: 'import sys\nprint("one")\nprint("two", file=sys.stderr)\nprint("three")',
    childOutput:
      'import subprocess, os\nprint("before")\nsubprocess.run(["sh", "-c", "echo child"])\nos.write(1, b"raw\\n")\nprint("after")',
    fail: "def f():\n    return 1 / 0\n\nf()",
    failLine: 2,
    failType: "ZeroDivisionError",
    syntaxError: "x = = 1",
    topLevelAwait: "import asyncio\nawait asyncio.sleep(0, result=7)",
    unicode: 'print("grüße 🎈")',
    bytes: "bytes(range(256))",
    bigInteger: "2 ** 100",
    large: "'x' * 2_000_000",
    largeType: "str",
    largeRead: "len(_1)",
    share: "share('rows', [1, {2: b'x'}, {3}])",
    take: "[take('rows'), shared.rows, list(shared)]",
    busyLoop: "while True: pass",
    sleepForever: "import asyncio\nawait asyncio.sleep(1e6)",
    printThenBusy: 'print("so far", flush=True)\nwhile True: pass',
    uninterruptible: "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
    exitZero: "exit()",
    exitThree: "import sys\nsys.exit(3)",
    dieNow: 'import os\nprint("last words", flush=True)\nos._exit(3)',
    dieNowTold: "3",
    killSelf: "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    readStdin: "input()",
    flood: (bytes: number) =>
      `import os\nchunk = b"x" * 65535 + b"\\n"\nfor _ in range(${Math.ceil(bytes / 65_536)}): os.write(1, chunk)`,
    shadowTools: "tools = 5\ntools",
    unshadowTools: "del tools",
    breakBuiltins:
      "import builtins\nfor name in ('print', 'len', 'isinstance', 'repr', 'str', 'list', 'dict', '__import__', 'getattr', 'Exception', 'open', 'type'):\n    setattr(builtins, name, None)\n1",
    recursion: "def f(): return f()\nf()",
    writeEveryDescriptor:
      'import os\nfor fd in range(3, 256):\n    try: os.write(fd, b"forged frame " * 10)\n    except OSError: pass',
    closeDescriptors: "import os\nos.closerange(0, 256)",
    forkAndReturn: 'import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\n"parent" if pid else "child"',
    lateOutput:
      'import threading\ndef late():\n    tools.calc.hold()\n    print("too late")\n    tools.calc.told()\nthreading.Thread(target=late).start()\n"done"',
    callAdd: (a: number, b: number) => `tools.calc.add(a=${a}, b=${b})`,
    callMany: (count: number) =>
      `import asyncio\nsum(await asyncio.gather(*[calc.add(a=i, b=1) for i in range(${count})]))`,
    callSlow: "tools.calc.never()",
    callSlowTwice: "import asyncio\nawait asyncio.gather(calc.meet(), calc.meet())",
    callWrongName: "tools.calc.ad(a=1, b=2)",
    callWrongArgument: "tools.calc.add(a=1, c=2)",
    callFailing: "tools.calc.fail()",
    catchFailing: "try:\n    tools.calc.fail()\nexcept Exception as error:\n    caught = error.code\ncaught",
    environment: "import os\ndict(os.environ)",
    processGroupChild:
      'import subprocess\nchild = subprocess.Popen(["sh", "-c", "trap \'\' TERM INT; while :; do sleep 1; done"])\nchild.pid',
    showPng: `import base64\ndisplay(base64.b64decode("${png}"))`,
  },
  typescript: {
    ...capabilitySnippets.typescript,
    value: "1 + 1",
    setCounter: "const counter: number = 41",
    readCounter: "counter + 1",
    printBoth: 'console.log("one")\nconsole.error("two")\nconsole.log("three")',
    childOutput:
      'import { execFileSync } from "node:child_process"\nimport { writeSync } from "node:fs"\nconsole.log("before")\nexecFileSync("sh", ["-c", "echo child"], { stdio: "inherit" })\nwriteSync(1, "raw\\n")\nconsole.log("after")',
    fail: "function f(): number {\n  throw new RangeError('no')\n}\nf()",
    failLine: 2,
    failType: "RangeError",
    syntaxError: "const x = = 1",
    topLevelAwait: "await new Promise<number>((resolve) => setTimeout(resolve, 1, 7))",
    unicode: 'console.log("grüße 🎈")',
    bytes: "Uint8Array.from({ length: 256 }, (_, index) => index)",
    bigInteger: "2n ** 100n",
    large: "'x'.repeat(2_000_000)",
    largeType: "string",
    largeRead: "_1.length",
    share: "await share('rows', [1, new Map([[2, Buffer.from('x')]]), new Set([3])])",
    take: "[await take('rows'), await shared.rows, Object.keys(shared)]",
    busyLoop: "while (true) {}",
    sleepForever: "await new Promise(() => setTimeout(() => {}, 1e9))",
    printThenBusy: 'console.log("so far")\nwhile (true) {}',
    uninterruptible: 'import { execSync } from "node:child_process"\nexecSync("sleep 1000")',
    exitZero: "process.exit()",
    exitThree: "process.exit(3)",
    dieNow: 'console.log("last words")\nprocess.abort()',
    dieNowTold: "SIGABRT",
    killSelf: 'process.kill(process.pid, "SIGKILL")',
    readStdin:
      'import { readFileSync } from "node:fs"\nif (readFileSync(0).length === 0) throw new Error("stdin is empty")',
    flood: (bytes: number) =>
      `import { writeSync } from "node:fs"\nconst chunk = Buffer.from("x".repeat(65535) + "\\n")\nfor (let i = 0; i < ${Math.ceil(bytes / 65_536)}; i++) { for (let at = 0; at < chunk.length; ) { try { at += writeSync(1, chunk, at) } catch (error) { if (error.code !== "EAGAIN") throw error } } }`,
    shadowTools: "globalThis.tools = 5\ntools",
    unshadowTools: "delete globalThis.tools",
    breakBuiltins:
      "for (const name of ['JSON', 'Map', 'Promise', 'Object', 'Array', 'setTimeout', 'Buffer', 'console']) globalThis[name] = null\n1",
    recursion: "function f() { return f() + 1 }\nf()",
    writeEveryDescriptor:
      'import { writeSync, fstatSync } from "node:fs"\nfor (let fd = 3; fd < 256; fd++) { try { if (fstatSync(fd).isSocket()) writeSync(fd, "forged frame ".repeat(10)) } catch {} }',
    closeDescriptors:
      'import { closeSync } from "node:fs"\nfor (let fd = 0; fd < 256; fd++) { try { closeSync(fd) } catch {} }',
    forkAndReturn: '"parent"',
    lateOutput:
      'const late = async () => {\n  await tools.calc.hold()\n  console.log("too late")\n  await tools.calc.told()\n}\nsetTimeout(late)\n"done"',
    callAdd: (a: number, b: number) => `await tools.calc.add({ a: ${a}, b: ${b} })`,
    callMany: (count: number) =>
      `(await Promise.all(Array.from({ length: ${count} }, (_, i) => tools.calc.add({ a: i, b: 1 })))).reduce((sum, n) => sum + n, 0)`,
    callSlow: "await tools.calc.never()",
    callSlowTwice: "await Promise.all([tools.calc.meet(), tools.calc.meet()])",
    callWrongName: "await tools.calc.ad({ a: 1, b: 2 })",
    callWrongArgument: "await tools.calc.add({ a: 1, c: 2 })",
    callFailing: "await tools.calc.fail()",
    catchFailing: "let caught: string\ntry { await tools.calc.fail() } catch (error) { caught = error.code }\ncaught",
    environment: "({ ...process.env })",
    processGroupChild:
      'import { spawn } from "node:child_process"\nconst child = spawn("sh", ["-c", "trap \'\' TERM INT; while :; do sleep 1; done"], { stdio: "ignore" })\nchild.pid',
    showPng: `display(Buffer.from("${png}", "base64"))`,
  },
} satisfies Record<Language, Snippets>;
