import type { SnapshotFailure, SnapshotRestoreParams, SnapshotRestoreResult } from "@artificer/protocol";
import type { Bridge } from "../bridge.js";
import type { Evaluator } from "../evaluator.js";
import type { Importer } from "../importer.js";
import type { CellTexts } from "./cell-texts.js";
import { FunctionMaker } from "./function-maker.js";
import { GraphReader } from "./graph-reader.js";
import type { KnownValues } from "./known-values.js";
import { type Piece, readPiece } from "./piece.js";
import type { PlaceChanges, SnapshotPlace } from "./snapshot-place.js";
import { reasonOf, Unsavable } from "./unsavable.js";
import { wantedNames } from "./wanted-names.js";

export interface RestorerOptions {
  evaluator: Evaluator;
  bridge: Bridge;
  importer: Importer;
  known: KnownValues;
  texts: CellTexts;
  place: SnapshotPlace;
  notice(name: string): void;
}

interface Facts {
  place: PlaceChanges;
  modules: { kind: "import" | "require"; name: string }[];
}

interface Waiting {
  names: string[];
  piece: Piece;
  reader: GraphReader;
}

/** Answers one `snapshot.restore`: what can be had is there again, what can't is named. */
export class SnapshotRestorer {
  readonly #options: RestorerOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #failed = new Map<string, string>();
  /** Names that code of classes can find while they are not bound yet. */
  readonly #lent = new Set<string>();
  /** Names that a class under way waits for: another that waits for it has to do without. */
  readonly #asked = new Set<string>();

  constructor(options: RestorerOptions) {
    this.#options = options;
  }

  async restore({ facts, groups, maxVariableMs }: SnapshotRestoreParams): Promise<SnapshotRestoreResult> {
    const { place, modules } = readPiece(facts) as Facts;
    const failed: SnapshotFailure[] = this.#options.place.apply(place);
    for (const module of modules) await this.#load(module, maxVariableMs);
    this.#options.known.refresh();
    const functions = new FunctionMaker(this.#options.evaluator, this.#options.texts, maxVariableMs);
    for (const { names, data } of groups) this.#take(names, data!, functions);
    const restored = new Map<Waiting, Map<string, unknown>>();
    try {
      this.#each(({ reader }) => reader.begin());
      this.#each((group) => {
        for (const [name, value] of group.reader.ready()) this.#lend(name, value);
      });
      this.#each(({ reader }) => reader.make());
      this.#each((group) => restored.set(group, group.reader.finish()));
    } finally {
      for (const name of this.#lent) Reflect.deleteProperty(globalThis, name);
    }
    this.#spread();
    const bound: string[] = [];
    for (const [group, values] of restored) {
      if (group.names.some((name) => this.#failed.has(name))) continue;
      try {
        await this.#bind(group.piece, values);
        bound.push(...values.keys());
      } catch (thrown) {
        this.#fail(group.names, thrown);
      }
    }
    this.#options.notice("");
    for (const [name, reason] of this.#failed) failed.push({ name, reason });
    return { restored: bound, failed };
  }

  #each(act: (group: Waiting) => void): void {
    for (const group of new Set(this.#waiting.values())) {
      if (group.names.some((name) => this.#failed.has(name))) continue;
      this.#options.notice(group.names.join(", "));
      try {
        act(group);
      } catch (thrown) {
        this.#fail(group.names, thrown);
      }
    }
  }

  #take(names: string[], data: Uint8Array, functions: FunctionMaker): void {
    try {
      const piece = readPiece(data) as Piece;
      const reader = new GraphReader(piece, {
        known: this.#options.known,
        functions,
        variable: (name) => this.#variable(name),
        beforeClass: (source) => this.#beforeClass(source),
      });
      const group = { names, piece, reader };
      for (const name of names) this.#waiting.set(name, group);
    } catch (thrown) {
      this.#fail(names, thrown);
    }
  }

  #variable(name: string): unknown {
    const group = this.#waiting.get(name);
    if (group === undefined || this.#failed.has(name)) throw new Unsavable(`it needs ${name}, which is not restored`);
    return group.reader.root(name);
  }

  #beforeClass(source: string): void {
    for (const name of wantedNames(source)) {
      if (!this.#waiting.has(name) || this.#asked.has(name) || this.#lent.has(name)) continue;
      this.#asked.add(name);
      try {
        this.#lend(name, this.#variable(name));
      } catch {
        // A class that really needs it says so itself.
      } finally {
        this.#asked.delete(name);
      }
    }
  }

  #lend(name: string, value: unknown): void {
    if (Object.hasOwn(globalThis, name)) return;
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    this.#lent.add(name);
  }

  /** What needs something that failed has failed. */
  #spread(): void {
    const groups = [...new Set(this.#waiting.values())];
    for (let before = -1; before !== this.#failed.size; ) {
      before = this.#failed.size;
      for (const { names, piece } of groups) {
        if (this.#failed.has(names[0]!)) continue;
        const missing = piece.nodes.find(([kind, name]) => kind === "variable" && this.#failed.has(name as string));
        if (missing !== undefined)
          this.#fail(names, new Unsavable(`it needs ${String(missing[1])}, which is not restored`));
      }
    }
  }

  #fail(names: string[], thrown: unknown): void {
    for (const name of names) this.#failed.set(name, reasonOf(thrown));
  }

  /** What a module that can't be had is needed for fails by itself, and says so. */
  async #load({ kind, name }: Facts["modules"][number], maxMs: number): Promise<void> {
    const { importer, notice } = this.#options;
    notice(name);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    try {
      if (kind === "require") importer.require()(name);
      else await Promise.race([importer.load(name), late]);
    } catch {
      // Told with each variable that needs it.
    } finally {
      clearTimeout(timer);
    }
  }

  async #bind({ variables }: Piece, values: ReadonlyMap<string, unknown>): Promise<void> {
    const { evaluator, bridge } = this.#options;
    const lexical = variables.filter(([, , global]) => !global).map(([name]) => name);
    for (const [name, , global] of variables) {
      if (!global) continue;
      Object.defineProperty(globalThis, name, {
        value: values.get(name),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    if (lexical.length > 0) {
      bridge.bound = lexical.map((name) => values.get(name));
      const bindings = lexical.map((name, index) => `${name}=__imp$.bound[${index}]`);
      const reply = await new Promise<{ exceptionDetails?: { text: string } } | undefined>((resolve) => {
        evaluator.run(`let ${bindings.join(",")};`, "artificer:restored", resolve);
      });
      bridge.bound = [];
      if (reply === undefined || reply.exceptionDetails !== undefined)
        throw new Unsavable(`it can't be bound: ${reply?.exceptionDetails?.text ?? "the inspector ended it"}`);
    }
  }
}
