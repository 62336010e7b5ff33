import type { CellChecker } from "./cell-checker.js";
import type { Language, StreamName } from "./outcome.js";
import type { SourceAnalysis } from "./wire/kernel-methods.js";

/** The program that runs inside a kernel process, described as data so that any executor can start it. */
export interface KernelProgram {
  readonly language: Language;
  /** Folder that holds the program's files; an executor that confines the kernel makes it readable there. */
  readonly folder: string;
  /** Folder of what makes starts faster; an executor that confines the kernel makes it readable there, never writable. */
  readonly cacheFolder?: string;
  /** Brings what `cacheFolder` holds up to date. A start without it is merely slower, so failure is silent. */
  prepare?(interpreter: Interpreter, options?: { signal?: AbortSignal }): Promise<void>;
  /** Whether its kernels can save their variables and bring them back: `snapshot.save` and `snapshot.restore`. */
  readonly snapshots?: boolean;
  /** True when its kernels take their folder and environment from `kernel.start`, and so can be started before these are known. */
  readonly handOver?: boolean;
  /** Absent: the kernel takes source as it is, and reads skills itself by `source.analyze`. */
  readonly source?: SourceTools;
  /** Absent: cells of the language can't be checked before they run. Starts nothing: that is done by the first check. */
  createChecker?(): CellChecker;
  /**
   * Finds the interpreter, verifying its version. `timeoutMs`: the longest that asking it may take.
   *
   * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`, `kernel/start-timed-out`
   */
  findInterpreter(options?: { path?: string; timeoutMs?: number; signal?: AbortSignal }): Promise<Interpreter>;
  /** How it runs as a thread of the host's process; absent: it needs a process of its own. */
  readonly thread?: ThreadProgram;
  /** The command line to start it; `folder` as seen where it runs, `wire` the descriptor or address of the private channel. */
  command(interpreter: Interpreter, options: { folder: string; wire: string }): string[];
}

/** A kernel program that can run as a thread: a script whose `workerData` is a `ThreadStart`. */
export interface ThreadProgram {
  /** The script, within the program's folder. */
  script: string;
  /** Flags for the thread, as for its interpreter. */
  flags: readonly string[];
}

/** A port's end, as much of it as is used: Node's `MessagePort` has it. */
export interface ThreadPort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** What a kernel's thread is given: ports in the place of descriptors. */
export interface ThreadStart {
  /** The private channel: `Uint8Array`s in both directions, whose bytes are the same frames. */
  wire: ThreadPort;
  /** To the host alone: `ThreadMessage`s. */
  output: ThreadPort;
  /** One Int32: bytes of output that the host has not read yet. The thread adds, the host subtracts. */
  unread: SharedArrayBuffer;
}

/** What a thread prints, and which processes it has started: the host ends these with it. */
export type ThreadMessage = { stream: StreamName; bytes: Uint8Array } | { child: number; running: boolean };

/**
 * What the host does with source of a language, by reading it alone, before a kernel gets it. Its results go to the kernel
 * in the source's place; line and column numbers stay those of the source.
 */
export interface SourceTools {
  /** A source that does not parse is prepared too: the kernel answers with the syntax error as an outcome. */
  prepareCell(code: string): string;
  prepareSkill(source: string): string;
  analyze(source: string): SourceAnalysis;
}

/** An interpreter found on the machine: the real binary, never a version manager's shim. */
export interface Interpreter {
  path: string;
  version: string;
  /** Folders that must be readable for it to run. */
  prefixes: string[];
  /** What compiled packages must be built for, such as `cpython-312-x86_64-linux-gnu`, where the language has such a thing. */
  abi?: string;
}

/** Bounds that the operating system enforces on a kernel. Undefined means no bound. */
export interface ResourceLimits {
  memoryBytes?: number;
  cpuSeconds?: number;
  processes?: number;
  openFiles?: number;
  fileBytes?: number;
}

/** What an executor needs to know to start a kernel. */
export interface KernelSpec {
  program: KernelProgram;
  interpreter?: string;
  /** The kernel's working folder. */
  cwd: string;
  /** The whole environment of the kernel: nothing else is inherited. */
  env: Record<string, string>;
  limits: ResourceLimits;
  /** The longest that asking the interpreter who it is may take, in milliseconds. Default: the program's own. */
  startTimeoutMs?: number;
}

/** How a kernel's process ended. */
export interface KernelExit {
  code: number | null;
  signal: string | null;
  /** Set when a limit of the operating system ended it. */
  limit?: "memory" | "cpu" | "processes" | "file-size";
}

/** What a kernel that was started beforehand has yet to take over: told to it by `kernel.start`. */
export interface HandOver {
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
}

/** A started kernel: bytes in both directions, output, and its end. Knows nothing of messages. */
export interface KernelChannel {
  readonly pid: number | undefined;
  /** Set when it was started before its session was known. */
  handOver?: HandOver;
  /** Sends bytes over the private channel. Never throws for a dead kernel: its end is told by `exited`. */
  send(chunks: readonly Uint8Array[]): void;
  /** Set once by the reader, before anything can arrive. */
  onBytes: ((chunk: Uint8Array) => void) | undefined;
  onOutput: ((stream: StreamName, chunk: Uint8Array) => void) | undefined;
  /** Settles when the process is gone and its output is read to the end, or at most a moment after its end; never rejects. */
  readonly exited: Promise<KernelExit>;
  /** Ends the process and all its descendants that share its group; resolves when they are gone. Idempotent. */
  kill(): Promise<void>;
  /** Lets the host's process end while this kernel idles, or holds it up again. */
  ref?(held: boolean): void;
}

/** What an executor can do; what it cannot do it refuses by name. */
export interface ExecutorCapabilities {
  isolation: "none" | "process" | "sandbox" | "container";
  /**
   * Whether a kernel is a process of its own: with descriptors that children inherit, with a working folder, and ended whatever
   * it is stuck in. What needs one is refused elsewhere, in the cell, as `executor/unsupported`. Default true.
   */
  ownProcess?: boolean;
  languages: readonly Language[];
  /** Resource limits it enforces. */
  limits: readonly (keyof ResourceLimits)[];
  /** Those among the limits that it enforces only where the host does not run as root; `limits` has them where they hold. */
  limitsUnlessRoot?: readonly (keyof ResourceLimits)[];
  /** Whether a stuck kernel can be ended without harm to the host. */
  kill: boolean;
  network: "host" | "none" | "configurable";
  /** True when a started kernel may be given another folder and environment: nothing of them is fixed from outside. */
  handOver?: boolean;
}

/** Whether an executor can be used here, and if not, why and how to mend it. */
export interface Usability {
  usable: boolean;
  reason?: string;
  hint?: string;
  facts?: Record<string, string>;
}

/** Starts and confines kernels. About a hundred lines: the state machine is in the runtime. */
export interface Executor {
  readonly kind: string;
  readonly capabilities: ExecutorCapabilities;
  /** @throws ArtificerError `executor/unsupported`, `executor/unavailable`, `kernel/interpreter-missing`, `kernel/start-failed` */
  start(spec: KernelSpec, options?: { signal?: AbortSignal }): Promise<KernelChannel>;
  probe(options?: { signal?: AbortSignal }): Promise<Usability>;
  /** Told that a start like this one is to be expected; what it does about it, it does in the background. */
  prepare?(spec: KernelSpec): void;
  /** Ends every kernel it started. Idempotent. */
  close(): Promise<void>;
}
