import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { ArtificerError } from "@artificer/protocol";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import spawn from "cross-spawn";
import { guardGroup } from "../cli/process-tree.js";
import { nestsDeeperThan } from "../yaml/nests-deeper-than.js";
import { endServer } from "./end-server.js";
import { createLineSplitter } from "./line-splitter.js";
import { maxMessageDepth } from "./message-depth.js";
import type { ServerTarget } from "./resolve-definition.js";
import { answeredId, standIn } from "./stand-in-answer.js";

const graceMs = 1_000;
const keptChars = 2_000;
/** Messages that may wait to be handed on before the server is made to wait. */
const maxArrived = 1_000;

/** How a server that went away did so. */
export interface ServerEnd {
  exitCode: number | null;
  signal: string | null;
  /** The last of what it wrote to stderr. */
  stderr: string;
  /** The last lines on stdout that were no messages. */
  noise: string;
  /** Set when it was ended here because one message went on beyond all bounds. */
  flooded: boolean;
}

/**
 * Speaks MCP with a child process that leads a group of its own, so that closing ends whatever the server started too.
 * Lines on stdout that are no messages are passed over; a message over the cap is answered with an error in its place.
 * The SDK's own transport can do neither, and drops the connection at an oversized message.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #target: ServerTarget & { kind: "process" };
  readonly #maxMessageBytes: number;
  #child: ChildProcess | undefined;
  #end: ServerEnd = { exitCode: null, signal: null, stderr: "", noise: "", flooded: false };
  readonly #arrived: unknown[] = [];
  #waiting = false;
  #closed = false;
  #ending: Promise<void> | undefined;

  constructor(target: ServerTarget & { kind: "process" }, maxMessageBytes: number) {
    this.#target = target;
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** The process, once started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get end(): ServerEnd {
    return this.#end;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#target;
    if (cwd !== undefined && !existsSync(cwd)) {
      throw new ArtificerError("tool/unavailable", `The working folder of the server, ${cwd}, does not exist.`, {
        details: { cwd },
        hint: "Mend cwd in the server's definition, or make the folder.",
      });
    }
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env,
        cwd,
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      this.#child = child;
      child.on("spawn", () => {
        if (child.pid !== undefined) guardGroup(child.pid);
        resolve();
      });
      child.on("error", (cause: NodeJS.ErrnoException) => reject(spawnError(command, cause)));
      child.on("exit", (exitCode, signal) => {
        this.#end = { ...this.#end, exitCode, signal };
        // What it left behind may hold its pipes open for ever: the server is gone all the same.
        setTimeout(() => this.#finish(), 200).unref();
      });
      child.on("close", () => this.#finish());
      child.stdin?.on("error", (error: Error) => this.onerror?.(error));
      child.stderr?.on("data", (chunk: Buffer) => {
        this.#end.stderr = (this.#end.stderr + chunk.toString("utf8")).slice(-keptChars);
      });
      child.stdout?.on("data", this.#splitter());
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    return new Promise((resolve, reject) => {
      if (this.#closed || !input?.writable) return reject(new Error("The server is not running."));
      // A broken pipe is told by the exit that follows; a full one must not hold up a cancellation.
      input.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    // Once it is finished its process id may be somebody else's.
    if (child !== undefined && !this.#closed) this.#ending ??= endServer(child, graceMs);
    await this.#ending;
    this.#finish();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    const child = this.#child;
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    // Nothing of a dead server's group may outlive it.
    if (child !== undefined) this.#ending ??= endServer(child, graceMs);
    this.onclose?.();
  }

  #splitter() {
    return createLineSplitter(
      { maxBytes: this.#maxMessageBytes, floodBytes: Math.max(4 * this.#maxMessageBytes, 64 * 1024 * 1024) },
      {
        line: (text) => this.#receive(text),
        oversized: (head, tail, bytes) => this.#refuse(head, tail, bytes),
        flood: () => {
          this.#end.flooded = true;
          void this.close();
        },
      },
    );
  }

  #receive(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      if (line.trim() !== "") this.#end.noise = `${this.#end.noise}${line.slice(0, 400)}\n`.slice(-keptChars);
      return;
    }
    for (const item of Array.isArray(json) ? json : [json]) this.#arrived.push(item);
    if (this.#arrived.length > maxArrived) this.#child?.stdout?.pause();
    if (!this.#waiting) this.#deliverArrived();
  }

  /** The SDK hands notifications on a moment later: an answer right behind its progress must not overtake it. */
  #deliverArrived(): void {
    this.#waiting = false;
    if (this.#arrived.length <= maxArrived / 2) this.#child?.stdout?.resume();
    while (this.#arrived.length > 0) {
      const json = this.#arrived.shift();
      this.#deliver(json);
      if (!isNotification(json)) continue;
      this.#waiting = true;
      setImmediate(() => this.#deliverArrived());
      return;
    }
  }

  #deliver(json: unknown): void {
    let message: JSONRPCMessage;
    // Writing such a message down would go level by level too.
    const tooDeep = nestsDeeperThan(json, maxMessageDepth);
    try {
      if (tooDeep) throw new RangeError();
      message = parseJSONRPCMessage(json);
    } catch {
      // Bears the id of a request, yet is no answer to it: the caller must not wait for a better one.
      const id =
        typeof json === "object" && json !== null && !("method" in json) ? (json as { id?: unknown }).id : null;
      if (typeof id === "number" || typeof id === "string") {
        const what = tooDeep ? `is nested over ${maxMessageDepth} levels deep` : "is no JSON-RPC answer";
        this.onmessage?.(standIn("garbage", id, `The server answered with something that ${what}.`));
      } else {
        const said = tooDeep ? "(something nested too deep)" : JSON.stringify(json).slice(0, 400);
        this.#end.noise = `${this.#end.noise}${said}\n`.slice(-keptChars);
      }
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(head: string, tail: string, bytes: number): void {
    const id = answeredId(head, tail);
    if (id !== undefined) this.onmessage?.(standIn("tooLarge", id, `The server's answer has ${bytes} bytes.`));
    else this.onerror?.(new Error(`A message of ${bytes} bytes was passed over; whose answer it was can't be told.`));
  }
}

function isNotification(json: unknown): boolean {
  return typeof json === "object" && json !== null && "method" in json && !("id" in json);
}

function spawnError(command: string, cause: NodeJS.ErrnoException): ArtificerError {
  if (cause.code === "ENOENT" || cause.code === "EACCES") {
    const what = cause.code === "ENOENT" ? "is not installed or not on the PATH" : "may not be executed";
    return new ArtificerError("tool/program-missing", `The server's program ${command} ${what}.`, {
      details: { command },
      hint: "Install it, or mend command in the server's definition.",
      cause,
    });
  }
  return new ArtificerError("tool/unavailable", `The server's program ${command} did not start: ${cause.message}`, {
    details: { command },
    cause,
  });
}
