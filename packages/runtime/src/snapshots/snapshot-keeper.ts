import { type ErrorCode, type SnapshotSaveResult, type StateReport, toArtificerError } from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";
import { askToSave } from "./ask-to-save.js";
import { checkSave } from "./check-save.js";
import { type LoadedSnapshot, loadSnapshot, restoreKernel } from "./restore-kernel.js";
import { restoreNotices } from "./restore-notices.js";
import type { SnapshotPiece } from "./snapshot-manifest.js";
import type { SnapshotOptions } from "./snapshot-options.js";
import { reportOf, type SnapshotReport } from "./snapshot-report.js";
import type { SnapshotStore } from "./snapshot-store.js";
import { unrestoredPieces } from "./unrestored-pieces.js";

/** Cells that come one upon another put a save off no longer than this; then the next one waits for it, at most `maxWaitMs`. */
const maxLagMs = 5_000;
const maxWaitMs = 1_000;
/** For all variables of one save or restore, in milliseconds. */
const maxSaveMs = 30_000;
const maxRestoreAttempts = 4;
/** What no later save would mend: saving again would only be refused again. */
const endsSaving: ReadonlySet<string> = new Set(["snapshot/conflict", "snapshot/other-key", "storage/read-only"]);

export interface KeeperOptions extends SnapshotOptions {
  store: SnapshotStore;
  /** From a withdrawn save to the kill of a kernel that does not let go of it, in milliseconds. */
  graceMs: number;
  onProblem(problem: { code: ErrorCode; message: string; hint?: string }): void;
}

/** Keeps the variables of one language of a session: saves them between cells, restores them into its next kernel. */
export class SnapshotKeeper {
  readonly #options: KeeperOptions;
  readonly #store: SnapshotStore;
  #notices: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The kernel's part of a save under way. */
  #asking: { promise: Promise<unknown>; withdraw(): void } | undefined;
  #saving: Promise<void> | undefined;
  /** A cell is running. */
  #busy = false;
  /** Since when something is unsaved. */
  #dirtySince: number | undefined;
  /** Bytes of a save that was withdrawn: the next one need not be sent them again. */
  readonly #held = new Map<string, Uint8Array>();
  readonly #excluded: Record<string, string> = {};
  /** The variable that the kernel said it was busy with. */
  #variable = "";
  #ranSince: number[] = [];
  /** Reads what could not be read when the session was opened. */
  #readAgain: (() => Promise<number>) | undefined;
  #restored: readonly string[] = [];
  /** Pieces that could not be restored here, for want of a module, say: they stay stored for a kernel that can. */
  #unrestored: SnapshotPiece[] = [];
  #kernel: Kernel | undefined;
  #lastCell = 0;
  #off = false;
  #report: SnapshotReport | undefined;
  readonly #told = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Whether there is something to restore. */
  get stored(): boolean {
    return this.#store.current !== undefined;
  }

  /** The variables that the latest kernel began with. */
  get restored(): readonly string[] {
    return this.#restored;
  }

  /** What the last save did. */
  get report(): SnapshotReport | undefined {
    return this.#report;
  }

  /** Reads what an earlier process has saved. `ranSince`: the cells that its journal has beyond that. */
  async open(ranSince: (cell: number) => Promise<number[]>): Promise<number> {
    const read = async () => {
      const manifest = await this.#store.load();
      this.#ranSince = manifest === undefined ? [] : await ranSince(manifest.cell);
      return Math.max(manifest?.cell ?? 0, ...this.#ranSince);
    };
    try {
      return await read();
    } catch (thrown) {
      this.#tell(thrown);
      // It may be readable by the time a kernel is to have it; until then the journal tells where the numbers go on.
      if (this.#store.unread) this.#readAgain = read;
      return Math.max(0, ...(await ranSince(0).catch(() => [])));
    }
  }

  /** Starts a kernel and brings the variables back into it; one that ends over a variable is started again without it. */
  async start(startKernel: () => Promise<Kernel>): Promise<Kernel> {
    this.#kernel = undefined;
    this.#restored = [];
    const loading = this.#load();
    for (let attempt = 1; ; attempt++) {
      const kernel = await startKernel();
      const snapshot = await loading;
      if (snapshot === undefined) return kernel;
      if (attempt === maxRestoreAttempts) {
        this.#notices.push(`Nothing is restored: the kernel ended each time over ${this.#variable || "it"}.`);
        return kernel;
      }
      this.#variable = "";
      try {
        const { format, maxVariableMs } = this.#options;
        const limits = { format, maxVariableMs, maxMs: maxSaveMs, exclude: this.#excluded };
        const { restored, failed } = await restoreKernel(kernel, snapshot, limits);
        const { cell, skipped } = snapshot.manifest;
        const lostCells = this.#ranSince;
        this.#restored = restored;
        this.#unrestored = unrestoredPieces(snapshot.manifest, failed, this.#excluded);
        this.#notices.push(...restoreNotices({ cell, restored, failed: [...failed, ...skipped], lostCells }));
        return kernel;
      } catch (thrown) {
        await kernel.kill(toArtificerError(thrown));
        this.#exclude(`restoring it ended the kernel: ${toArtificerError(thrown).message}`);
      }
    }
  }

  /** What the kernel tells of a save or restore under way. */
  onNotice(variable: string): void {
    this.#variable = variable;
  }

  /** Says in a report of lost variables what of them comes back. */
  amend(state: StateReport): void {
    const { current } = this.#store;
    if (current === undefined) return;
    const note = `Variables as they were after cell ${current.cell} are restored into it.`;
    state.note = state.note === undefined ? note : `${state.note} ${note}`;
  }

  /** What the next cell is to be told. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }

  /** A cell is about to run: a save under way lets go of the kernel. Undefined when there is nothing to wait for. */
  pause(): Promise<void> | undefined {
    this.#busy = true;
    clearTimeout(this.#timer);
    const asking = this.#asking;
    if (asking === undefined) return undefined;
    const timer = setTimeout(() => asking.withdraw(), this.#overdue ? maxWaitMs : 0);
    const over = () => clearTimeout(timer);
    return asking.promise.then(over, over);
  }

  /** A cell has ended in this kernel. Returns at once. */
  cellEnded(kernel: Kernel, cell: number): void {
    this.#busy = false;
    this.#dirtySince ??= performance.now();
    this.#lastCell = cell;
    this.#ranSince.push(cell);
    if (this.#off || !kernel.alive) return;
    this.#kernel = kernel;
    clearTimeout(this.#timer);
    if (this.#overdue) void this.#saveIfIdle(kernel);
    else this.#timer = setTimeout(() => void this.#saveIfIdle(kernel), this.#options.debounceMs).unref();
  }

  /** Saves now what the cells so far have done. Never throws: problems are told. */
  async flush(): Promise<SnapshotReport | undefined> {
    clearTimeout(this.#timer);
    await this.#saving;
    if (this.#kernel !== undefined) await this.#saveIfIdle(this.#kernel);
    return this.#report;
  }

  /** Forgets what was saved: the next kernel starts empty. */
  async forget(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    this.#kernel = undefined;
    this.#dirtySince = undefined;
    this.#ranSince = [];
    this.#unrestored = [];
    this.#notices = [];
    try {
      await this.#store.clear();
      // Nothing of anybody's is in the way any more.
      this.#off = false;
    } catch (thrown) {
      this.#tell(thrown);
    }
  }

  async #load(): Promise<LoadedSnapshot | undefined> {
    await this.#saving;
    if (this.#store.unread) await this.#readAgain?.().catch((thrown) => this.#tell(thrown));
    const { current } = this.#store;
    if (current === undefined) return undefined;
    try {
      const loaded = await loadSnapshot(this.#store, current);
      if (loaded.failed.length === 0) return loaded;
      // Another process may have saved meanwhile, and deleted what it replaced.
      const newer = await this.#store.load();
      return newer === undefined || newer.savedAt === current.savedAt ? loaded : loadSnapshot(this.#store, newer);
    } catch (thrown) {
      this.#tell(thrown);
      return undefined;
    }
  }

  get #overdue(): boolean {
    return this.#dirtySince !== undefined && performance.now() - this.#dirtySince > maxLagMs;
  }

  async #saveIfIdle(kernel: Kernel): Promise<void> {
    // What is being stored is done first; by then a cell may run.
    while (this.#saving !== undefined) await this.#saving;
    if (this.#busy || this.#off || !kernel.alive || this.#dirtySince === undefined) return;
    this.#saving = this.#save(kernel).finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  async #save(kernel: Kernel): Promise<void> {
    const cell = this.#lastCell;
    const from = performance.now();
    try {
      const result = await this.#ask(kernel);
      if (result === undefined) return;
      this.#held.clear();
      const { generation } = kernel;
      const refused = await this.#store.commit(result, { cell, generation, carried: this.#unrestored });
      this.#told.clear();
      this.#report = reportOf(result, refused, cell);
      this.#ranSince = this.#ranSince.filter((ran) => ran > cell);
      this.#dirtySince = this.#lastCell === cell ? undefined : from;
    } catch (thrown) {
      if (!kernel.alive && this.#variable !== "")
        this.#exclude(`saving it ended the kernel: ${toArtificerError(thrown).message}`, true);
      else if (kernel.alive) this.#tell(thrown);
    }
  }

  /** The kernel's answer, with what was held of an earlier one filled in; undefined when it was withdrawn. */
  async #ask(kernel: Kernel): Promise<SnapshotSaveResult | undefined> {
    const { maxVariableBytes, maxTotalBytes, maxVariableMs, graceMs, format } = this.#options;
    this.#variable = "";
    const asking = askToSave(kernel, {
      params: {
        known: [...this.#store.reusable, ...this.#held.keys()],
        maxVariableBytes,
        maxTotalBytes,
        maxVariableMs,
        exclude: this.#excluded,
        format,
      },
      maxMs: maxSaveMs,
      graceMs,
      variable: () => this.#variable,
    });
    this.#asking = asking;
    try {
      const result = await asking.promise;
      checkSave(result, this.#options);
      this.#variable = "";
      const heldBytes = Array.from(this.#held.values()).reduce((sum, data) => sum + data.byteLength, 0);
      if (heldBytes > maxTotalBytes) this.#held.clear();
      for (const piece of [...result.groups, result.facts]) {
        if (!result.complete && piece.data !== undefined) this.#held.set(piece.tag, piece.data);
        const held = this.#held.get(piece.tag);
        if (held !== undefined) piece.data ??= held;
      }
      return result.complete ? result : undefined;
    } finally {
      this.#asking = undefined;
    }
  }

  #exclude(reason: string, tell = false): void {
    const names = this.#variable.split(", ").filter((name) => name !== "");
    for (const name of names) this.#excluded[name] = reason;
    if (tell) this.#notices.push(`${names.join(", ")} will not be saved any more: ${reason}`);
  }

  /** Once, until a save goes well again. */
  #tell(thrown: unknown): void {
    const { code, message, hint } = toArtificerError(thrown, "snapshot/failed");
    if (endsSaving.has(code)) this.#off = true;
    this.#options.onProblem({ code, message, ...(hint === undefined ? {} : { hint }) });
    // A fault of ours has a stack for a message: that is for the host alone.
    const why = code === "internal/fault" ? "a fault of Artificer itself." : message;
    const told = code.startsWith("snapshot/") ? message : `The variables could not be saved or restored: ${why}`;
    if (this.#told.has(told)) return;
    this.#told.add(told);
    this.#notices.push(told);
  }
}
