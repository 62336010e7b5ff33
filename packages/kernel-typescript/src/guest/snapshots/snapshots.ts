import type { SnapshotRestoreParams, SnapshotSaveParams } from "@artificer/protocol";
import type { Bridge } from "../bridge.js";
import type { Evaluator } from "../evaluator.js";
import type { HostLink } from "../host-link.js";
import type { Importer } from "../importer.js";
import { startImmediate } from "../primordials.js";
import type { Variables } from "../variables.js";
import type { WireChannel } from "../wire-channel.js";
import { CellTexts } from "./cell-texts.js";
import { type Handles, KnownValues } from "./known-values.js";
import { SnapshotPlace } from "./snapshot-place.js";
import { SnapshotRestorer } from "./snapshot-restorer.js";
import { type FoundVariable, saveSnapshot } from "./snapshot-saver.js";
import { UserFunctions } from "./user-functions.js";

export interface SnapshotsOptions {
  wire: WireChannel;
  host: HostLink;
  evaluator: Evaluator;
  bridge: Bridge;
  importer: Importer;
  variables: Variables;
  handles: Handles;
}

/** The kernel's side of snapshots: `snapshot.save` and `snapshot.restore`, both between cells. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #texts = new CellTexts();
  readonly #known: KnownValues;
  readonly #functions: UserFunctions;
  #place: SnapshotPlace | undefined;
  #saving: number | undefined;
  #withdrawn = false;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#known = new KnownValues(options.handles);
    this.#functions = new UserFunctions(options.evaluator, this.#texts);
  }

  /** Takes note of how things are before the first cell. */
  begin(): void {
    const { importer, variables } = this.#options;
    this.#place = new SnapshotPlace();
    this.#known.begin(variables.before);
    importer.onLoaded = (kind, name, value) => this.#known.loaded(kind, name, value);
  }

  /** Where the scripts of a cell are kept to find its functions in; undefined when nothing is saved. */
  get texts(): CellTexts | undefined {
    return this.#place === undefined ? undefined : this.#texts;
  }

  /** The host has let go of a request. */
  withdraw(id: number): void {
    if (id === this.#saving) this.#withdrawn = true;
  }

  async save(id: number, params: SnapshotSaveParams): Promise<unknown> {
    const { wire, evaluator } = this.#options;
    this.#saving = id;
    this.#withdrawn = false;
    // What came along with the request is heard first.
    await new Promise((resolve) => startImmediate(resolve));
    try {
      return saveSnapshot(params, {
        known: this.#known,
        functions: this.#functions,
        place: this.#begun(),
        variables: () => this.#found(),
        notice: (variable) => this.#tell(variable),
        isWithdrawn: () => {
          wire.poll(({ header }) => {
            const { type, id: about } = header as { type?: string; id?: number };
            if (type === "cancel" && about !== undefined) this.withdraw(about);
          });
          return this.#withdrawn;
        },
      });
    } finally {
      this.#saving = undefined;
      this.#tell("");
      evaluator.release();
    }
  }

  async restore(params: SnapshotRestoreParams): Promise<unknown> {
    const { evaluator, bridge, importer, host } = this.#options;
    // Code that comes with variables has nobody who asked for what it does.
    host.refusal = "a snapshot is being restored";
    try {
      return await new SnapshotRestorer({
        evaluator,
        bridge,
        importer,
        known: this.#known,
        texts: this.#texts,
        place: this.#begun(),
        notice: (variable) => this.#tell(variable),
      }).restore(params);
    } finally {
      host.refusal = undefined;
      evaluator.release();
    }
  }

  #begun(): SnapshotPlace {
    if (this.#place === undefined) this.begin();
    return this.#place!;
  }

  #tell(variable: string): void {
    this.#options.wire.send({ type: "notice", name: "snapshot", params: { variable } });
  }

  #found(): FoundVariable[] {
    const { variables, handles } = this.#options;
    const placed = new Map(handles());
    const found: FoundVariable[] = [];
    const lexical = variables.lexicalValues();
    for (const [name, value] of lexical) found.push({ name, value, global: false });
    for (const name of Object.keys(globalThis)) {
      if (variables.before.has(name) || lexical.has(name)) continue;
      const own = Object.getOwnPropertyDescriptor(globalThis, name);
      if (own === undefined || !("value" in own)) continue;
      if (placed.has(name) && placed.get(name) === own.value) continue;
      found.push({ name, value: own.value, global: true });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
