import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { ArtificerError } from "@artificer/protocol";
import type { CheckerMessage, CheckRequest, CheckResult } from "./checker-messages.js";

/** Settings of the process that checks cells. */
export interface CheckerSettings {
  /** The compiler: a package's name, or the path of one. Default `typescript`, as found from this package. */
  compiler?: string | undefined;
  /** False leaves Node's own types out, as where they are not installed. */
  nodeTypes?: boolean | undefined;
  /** The longest that one cell may take, in milliseconds. Default 10,000. */
  deadlineMs?: number | undefined;
  /** The longest that the start may take, the compiler's loading included. Default 60,000. */
  startMs?: number | undefined;
  /** Memory of the process, beyond which it is ended. Default 512 MB. */
  maxHeapBytes?: number | undefined;
}

/** The process that checks cells: started by the first question, started anew after its end. */
export interface CheckerProcess {
  /** Set while it runs. */
  readonly pid: number | undefined;
  /** @throws ArtificerError `cell/checker-missing`, `cell/check-failed`; the signal's reason */
  ask(request: CheckRequest, options?: { signal?: AbortSignal | undefined }): Promise<CheckResult>;
  /** Ends it, and waits until it is gone. */
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("../../dist/check/checker-program.js", import.meta.url));
const mebibyte = 2 ** 20;

/** What a process said last, and whether it is still there. */
type Answer = CheckerMessage | { kind: "ended"; how: string };

/** Makes a checker; nothing is started. Questions are put one after another, and one that was withdrawn is never put. */
export function createCheckerProcess(settings: CheckerSettings = {}): CheckerProcess {
  const { compiler = "typescript", nodeTypes = true, deadlineMs = 10_000, startMs = 60_000 } = settings;
  const maxHeapBytes = settings.maxHeapBytes ?? 512 * mebibyte;
  let child: ChildProcess | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function start(): Promise<ChildProcess> {
    if (closed) throw failed({ kind: "ended", how: "with its session" }, "");
    if (child !== undefined) return child;
    const started = fork(program, [JSON.stringify({ specifier: compiler, nodeTypes, deadlineMs })], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: {},
      execArgv: [`--max-old-space-size=${Math.ceil(maxHeapBytes / mebibyte)}`],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    });
    child = started;
    const lastWords = readLastWords(started);
    const forget = () => {
      if (child === started) child = undefined;
    };
    started.once("exit", forget).once("error", forget);
    const first = await next(started, startMs);
    if (first.kind === "ready") return started;
    await end(started);
    if (first.kind === "missing") throw new ArtificerError("cell/checker-missing", first.message, { hint: first.hint });
    throw failed(first, `did not start within ${startMs / 1000} s`, lastWords());
  }

  async function put(request: CheckRequest): Promise<CheckResult> {
    for (let attempt = 1; ; attempt++) {
      const asked = await start().catch((thrown: unknown) => {
        if (attempt > 1 || closed || !ArtificerError.is(thrown, "cell/check-failed")) throw thrown;
        return undefined;
      });
      if (asked === undefined) continue;
      hold(asked, true);
      // Should it not notice its own deadline, it is ended from here.
      const answer = await new Promise<Answer>((resolve) => {
        void next(asked, deadlineMs + 5_000).then(resolve);
        asked.send(request, () => {});
      });
      hold(asked, false);
      if (answer.kind === "result") {
        if (answer.heapBytes > maxHeapBytes / 2) await end(asked);
        return answer.result;
      }
      // One that was ended from outside is started again; what ends it twice is the cell.
      if (answer.kind !== "late" && answer.kind !== "failed") await end(asked);
      if (answer.kind === "ended" && attempt === 1) continue;
      throw failed(answer, `took longer than ${deadlineMs / 1000} s`);
    }
  }

  return {
    get pid() {
      return child?.pid;
    },
    async ask(request, { signal } = {}) {
      signal?.throwIfAborted();
      const turn = tail.then(() => {
        signal?.throwIfAborted();
        return put(request);
      });
      tail = turn.catch(() => {});
      return signal === undefined ? turn : Promise.race([turn, aborted(signal)]);
    },
    async close() {
      closed = true;
      if (child !== undefined) await end(child);
    },
  };
}

/** The next thing it says; `late` when it says nothing in time. */
function next(child: ChildProcess, withinMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      resolve(answer);
    };
    const onMessage = (message: unknown) => settle(message as CheckerMessage);
    const onExit = (code: number | null, signal: string | null) =>
      settle({ kind: "ended", how: signal === null ? `with status ${code}` : `by ${signal}` });
    const onError = (error: Error) => settle({ kind: "ended", how: error.message });
    const timer = setTimeout(() => settle({ kind: "ended", how: "late" }), withinMs);
    child.on("message", onMessage).on("exit", onExit).on("error", onError);
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    hold(child, true);
    child.kill("SIGKILL");
  });
}

/** Whether the host's process is kept from ending by it. */
function hold(child: ChildProcess, held: boolean): void {
  const method = held ? "ref" : "unref";
  child[method]();
  child.channel?.[method]();
  (child.stderr as Socket | null)?.[method]();
}

/** What it wrote to stderr, its end kept: why a process of Node's ends. */
function readLastWords(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    text = (text + more).slice(-2000);
  });
  return () => text;
}

function failed(answer: Answer, late: string, stderr = ""): ArtificerError {
  const how =
    answer.kind === "ended"
      ? answer.how === "late"
        ? late
        : `was ended ${answer.how}`
      : answer.kind === "failed"
        ? `failed: ${answer.message}`
        : late;
  return new ArtificerError("cell/check-failed", `The cell could not be checked: the check ${how}.`, {
    hint: "Simplify its types, or run it without check. Nothing of it was run.",
    details: stderr === "" ? {} : { stderr },
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
