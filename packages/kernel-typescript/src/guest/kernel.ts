import {
  type Bindings,
  encodeValue,
  type Frame,
  type KernelStartParams,
  ArtificerError as ProtocolError,
  type SnapshotRestoreParams,
  type SnapshotSaveParams,
  type WireError,
} from "@artificer/protocol";
import { activity } from "./activity.js";
import { installBridge } from "./bridge.js";
import { Cell } from "./cell.js";
import { readyValue } from "./cell-result.js";
import { CellRunner } from "./cell-runner.js";
import { createDisplay } from "./display.js";
import { Evaluator } from "./evaluator.js";
import { ArtifactError, ArtificerError, DepError, SharedError, SkillError, ToolError } from "./guest-error.js";
import { takeOver } from "./hand-over.js";
import { createSharing, type Sharing } from "./handles/sharing.js";
import { createSkills } from "./handles/skills.js";
import { createArtifacts, createDeps } from "./handles/stores.js";
import { createTools, type ToolHandles } from "./handles/tools.js";
import { History } from "./history.js";
import { HostLink } from "./host-link.js";
import { Importer } from "./importer.js";
import { inFolder } from "./in-folder.js";
import { Interrupts } from "./interrupts.js";
import { endProcess, startImmediate } from "./primordials.js";
import { SkillRunner } from "./skill-runner.js";
import { Snapshots } from "./snapshots/snapshots.js";
import { Reference, valueFromWire } from "./values.js";
import { Variables } from "./variables.js";
import type { WireChannel } from "./wire-channel.js";

interface RunParams {
  cell: number;
  code: string;
  cwd?: string;
}

interface Request {
  id: number;
  method: string;
  params: unknown;
}

/** The kernel: answers the host's requests and puts the handles into the global scope. */
export class Kernel {
  readonly #wire: WireChannel;
  readonly #host: HostLink;
  readonly #interrupts: Interrupts;
  readonly #evaluator = new Evaluator();
  readonly #variables: Variables;
  readonly #skills: SkillRunner;
  readonly #runner: CellRunner;
  readonly #snapshots: Snapshots;
  readonly #waiting = new Map<number, Cell>();
  readonly #placed = new Map<string, unknown>();
  #tail: Promise<unknown> = Promise.resolve();
  #limits: KernelStartParams["limits"] = {
    maxValueBytes: 2 ** 20,
    maxReprChars: 10_000,
    maxDisplayBytes: 2 ** 22,
    maxDisplays: 20,
  };
  #tools: ToolHandles;
  #resources: Readonly<Record<string, number>> = {};
  readonly #sharing: Sharing;

  constructor(wire: WireChannel) {
    this.#wire = wire;
    this.#host = new HostLink(wire);
    this.#interrupts = new Interrupts(wire);
    this.#tools = createTools({ toolkits: [] }, this.#host);
    const importer = new Importer(() => this.#tools.module);
    const bridge = installBridge(this.#evaluator, importer);
    this.#importer = importer;
    this.#placeRequire();
    for (const Class of [ArtificerError, ToolError, SkillError, ArtifactError, SharedError, DepError]) {
      Object.defineProperty(globalThis, Class.name, { value: Class, configurable: true, writable: true });
    }
    this.#variables = new Variables(this.#evaluator, () => this.#placed.keys());
    this.#skills = new SkillRunner(importer, (stack) => this.#handles(stack));
    const limits = () => this.#limits;
    const display = createDisplay(wire, this.#host, limits);
    const artifacts = createArtifacts(this.#host);
    Reference.loadArtifact = artifacts.load as typeof Reference.loadArtifact;
    this.#sharing = createSharing(this.#host);
    this.#fixed = { display, artifacts, deps: createDeps(this.#host), ...this.#sharing.handles };
    this.#runner = new CellRunner({
      evaluator: this.#evaluator,
      importer,
      bridge,
      interrupts: this.#interrupts,
      variables: this.#variables,
      history: new History(),
      resources: () => this.#resources,
      limits,
      keepScript: (script, text, shifts) => this.#snapshots.texts?.add(script, text, shifts),
    });
    this.#snapshots = new Snapshots({
      wire,
      host: this.#host,
      evaluator: this.#evaluator,
      bridge,
      importer,
      variables: this.#variables,
      handles: () => this.#placed,
    });
    wire.onFrame = (frame) => this.#receive(frame);
  }

  readonly #fixed: Record<string, unknown>;
  readonly #importer: Importer;

  #placeRequire(): void {
    const value = this.#importer.require();
    Object.defineProperty(globalThis, "require", { value, configurable: true, writable: true });
  }

  #handles(stack: readonly string[]): Record<string, unknown> {
    const globals = Object.fromEntries(this.#tools.globals);
    return {
      ...globals,
      ...this.#fixed,
      tools: this.#tools.tools,
      skills: createSkills(this.#host, this.#skills, stack),
    };
  }

  #receive(frame: Frame): void {
    const header = frame.header as { type: string; id: number } & Record<string, unknown>;
    if (header.type === "response") {
      this.#host.receive(header as { id: number; value?: unknown; error?: WireError }, frame.parts);
    } else if (header.type === "cancel") {
      this.#cancel(header.id);
    } else if (header.type === "request") {
      const request = {
        id: header.id,
        method: String(header.method),
        params: valueFromWire(header.params, frame.parts),
      };
      this.#answer(request).catch((error: unknown) => this.#give(request.id, { error: wireErrorOf(error) }));
    }
  }

  #cancel(id: number): void {
    this.#snapshots.withdraw(id);
    const cell = this.#waiting.get(id);
    if (cell === undefined) return;
    this.#host.withdraw(cell);
    if (activity.cell === cell) this.#interrupts.interrupt(cell);
    else cell.end({ kind: "interrupted", trace: "" });
  }

  async #answer({ id, method, params }: Request): Promise<void> {
    switch (method) {
      case "kernel.start":
        return this.#give(id, { value: this.#start(params as KernelStartParams) });
      case "kernel.bind": {
        const table = params as Bindings | { bindings: Bindings };
        this.#bind("bindings" in table ? table.bindings : table);
        return this.#give(id, { value: null });
      }
      case "cell.run":
        return this.#runCell(id, params as RunParams);
      case "variables.list":
        return this.#give(id, { value: await this.#variables.list(Math.min(this.#limits.maxReprChars, 200)) });
      case "variables.value":
        return this.#tellVariable(id, (params as { name: string }).name);
      case "shared.names":
        this.#sharing.know((params as { names: string[] }).names);
        return this.#give(id, { value: null });
      case "snapshot.save":
        return this.#giveValue(id, await this.#snapshots.save(id, params as SnapshotSaveParams));
      case "snapshot.restore":
        return this.#giveValue(id, await this.#snapshots.restore(params as SnapshotRestoreParams));
      case "source.analyze":
        throw new ProtocolError("wire/unknown-method", "TypeScript source is read on the host.", {
          hint: "Call analyzeTypescript of @artificer/kernel-typescript.",
        });
      default:
        throw new ProtocolError("wire/unknown-method", `The kernel knows no method ${JSON.stringify(method)}.`, {
          details: {
            known: [
              "kernel.start",
              "kernel.bind",
              "cell.run",
              "variables.list",
              "variables.value",
              "shared.names",
              "snapshot.save",
              "snapshot.restore",
            ],
          },
        });
    }
  }

  #start(params: KernelStartParams): unknown {
    this.#wire.key = params.key;
    try {
      takeOver(params);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ProtocolError("kernel/start-failed", `The kernel's working folder can't be used: ${reason}.`, {
        cause,
      });
    }
    if (params.cwd !== undefined) this.#placeRequire();
    this.#resources = params.resources ?? {};
    // Its default ends the process; with a listener, the write fails instead.
    if (this.#resources.fileBytes !== undefined) process.on("SIGXFSZ", () => {});
    this.#limits = params.limits;
    this.#bind(params.bindings);
    if (params.snapshots === true) this.#snapshots.begin();
    // After the answer: the thread's start would hold it up.
    startImmediate(() => this.#interrupts.start());
    return { pid: process.pid, language: "typescript", version: process.versions.node, executable: process.execPath };
  }

  /** Puts handles into the global scope; a name that the user has bound to something else stays the user's. */
  #bind(bindings: Bindings): void {
    this.#tools = createTools(bindings, this.#host);
    this.#skills.clear();
    const handles = this.#handles([]);
    for (const [name, old] of this.#placed) {
      if (name in handles) continue;
      this.#placed.delete(name);
      if (Reflect.get(globalThis, name) === old) Reflect.deleteProperty(globalThis, name);
    }
    for (const [name, value] of Object.entries(handles)) {
      const current = Reflect.get(globalThis, name) as unknown;
      if (this.#placed.has(name) && current !== this.#placed.get(name)) continue;
      this.#placed.set(name, value);
      place(name, value);
    }
  }

  /** A handle that a cell has deleted is there again for the next. */
  #restoreDeleted(): void {
    for (const [name, value] of this.#placed) if (!Object.hasOwn(globalThis, name)) place(name, value);
  }

  /** Cells run one after another, in the order they came. */
  async #runCell(id: number, { cell: number, code, cwd }: RunParams): Promise<void> {
    const cell = new Cell(number, id);
    this.#waiting.set(id, cell);
    const before = this.#tail;
    const run = before.then(() => {
      if (!cell.isOver) {
        this.#restoreDeleted();
        return inFolder(cwd, () => this.#runner.run(cell, code));
      }
      const error = { type: "Interrupted", message: "The cell was interrupted before it began.", traceback: "" };
      return { result: { status: "interrupted" as const, hasValue: false, error }, parts: [] };
    });
    this.#tail = run.catch(() => undefined);
    const { result, parts } = await run;
    this.#waiting.delete(id);
    this.#give(id, { value: result }, parts);
  }

  async #tellVariable(id: number, name: string): Promise<void> {
    const found = await this.#variables.value(name);
    if (found === undefined) {
      throw new ProtocolError("session/unknown-variable", `There is no variable ${JSON.stringify(name)}.`);
    }
    const { json, parts, problem } = readyValue(found.value, this.#limits);
    return problem === undefined ? this.#give(id, { value: json }, parts) : this.#give(id, { error: problem });
  }

  #giveValue(id: number, value: unknown): void {
    const { json, parts } = encodeValue(value);
    this.#give(id, { value: json }, parts);
  }

  #give(id: number, answer: { value: unknown } | { error: WireError }, parts: readonly Uint8Array[] = []): void {
    try {
      this.#wire.send({ type: "response", id, ...answer }, parts);
    } catch {
      // A cell has broken what the kernel stands on. The host sees the kernel's end at once; silence it would have to wait out.
      endProcess();
    }
  }
}

function wireErrorOf(error: unknown): WireError {
  if (ProtocolError.is(error)) return error.toJSON();
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal/fault", message, type: error instanceof Error ? error.name : typeof error };
}

function place(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
}
