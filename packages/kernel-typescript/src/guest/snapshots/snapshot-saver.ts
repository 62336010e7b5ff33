import type { SnapshotFailure, SnapshotSaveParams, SnapshotSaveResult } from "@artificer/protocol";
import { now } from "../primordials.js";
import { GraphWriter, type WalkedVariable } from "./graph-writer.js";
import type { KnownValues } from "./known-values.js";
import { type Piece, type PieceNode, writePiece } from "./piece.js";
import type { SnapshotPlace } from "./snapshot-place.js";
import { reasonOf, Unsavable } from "./unsavable.js";
import { nameOf, type UserFunctions } from "./user-functions.js";

/** A variable as a save finds it. */
export interface FoundVariable {
  name: string;
  value: unknown;
  /** A property of the global object, where others are bound by `let`. */
  global: boolean;
}

export interface SaverOptions {
  functions: UserFunctions;
  known: KnownValues;
  place: SnapshotPlace;
  variables(): FoundVariable[];
  /** Tells the host which variable is looked at. */
  notice(name: string): void;
  /** Whether the host has let go of the save. */
  isWithdrawn(): boolean;
}

interface Group {
  names: string[];
  needs: Set<string>;
  data: Uint8Array;
  tag: string;
}

/** Answers one `snapshot.save`. */
export function saveSnapshot(params: SnapshotSaveParams, options: SaverOptions): SnapshotSaveResult {
  const from = now();
  const { functions, known, place } = options;
  known.refresh();
  const found = options.variables();
  functions.names = functionNames(found);
  for (const made of functions.names.keys()) functions.register(made as object);
  const lost = new Map<string, string>();
  const facts = writePiece({ place: place.changes(), modules: known.modules });
  let complete = true;
  let groups: Group[] = [];
  try {
    const walked = walkAll(found, lost, params, options);
    const globals = new Set(found.filter(({ global }) => global).map(({ name }) => name));
    groups = writeGroups(walked, lost, globals, params.maxVariableBytes);
    groups = settled(groups, lost, params.maxTotalBytes);
  } catch (thrown) {
    if (!(thrown instanceof Unsavable && thrown.withdrawn)) throw thrown;
    complete = false;
    groups = [];
  }
  const have = new Set(params.known);
  const sent = <T extends { tag: string; data: Uint8Array }>({ tag, data }: T) =>
    have.has(tag) ? { tag, bytes: data.byteLength } : { tag, bytes: data.byteLength, data };
  return {
    complete,
    facts: sent(facts),
    groups: groups.map((group) => ({ ...sent(group), names: group.names, isolated: false })),
    names: [],
    skipped: Array.from(lost, ([name, reason]): SnapshotFailure => ({ name, reason })),
    cost: {
      variables: found.length,
      examined: found.length,
      pickledBytes: groups.reduce((sum, { data }) => sum + data.byteLength, 0),
      ms: now() - from,
    },
  };
}

/** Functions are referred to by the variable that holds them; of several, by the one of their own name. */
function functionNames(found: readonly FoundVariable[]): Map<unknown, string> {
  const names = new Map<unknown, string>();
  for (const { name, value } of found) {
    if (typeof value === "function" && (!names.has(value) || nameOf(value) === name)) names.set(value, name);
  }
  return names;
}

function walkAll(
  found: readonly FoundVariable[],
  lost: Map<string, string>,
  params: SnapshotSaveParams,
  { functions, known, notice, isWithdrawn }: SaverOptions,
): WalkedVariable[] {
  const { maxVariableBytes, maxVariableMs, exclude } = params;
  let until = 0;
  const check = () => {
    if (isWithdrawn()) throw new Unsavable("the host has let go of it", true);
    if (now() > until) throw new Unsavable(`it took longer than ${maxVariableMs / 1000} s`);
  };
  const writer = new GraphWriter({ known, functions, maxBytes: maxVariableBytes, check });
  const walked: WalkedVariable[] = [];
  for (const { name, value } of found) {
    const excluded = Object.hasOwn(exclude, name) ? exclude[name] : undefined;
    if (excluded !== undefined) {
      lost.set(name, excluded);
      continue;
    }
    notice(name);
    until = now() + maxVariableMs;
    try {
      check();
      walked.push(writer.walk(name, value));
    } catch (thrown) {
      if (thrown instanceof Unsavable && thrown.withdrawn) throw thrown;
      lost.set(name, reasonOf(thrown));
    }
  }
  return walked;
}

/** One piece for all variables that share objects. */
function writeGroups(
  walked: readonly WalkedVariable[],
  lost: Map<string, string>,
  globals: ReadonlySet<string>,
  maxBytes: number,
): Group[] {
  const groups: Group[] = [];
  for (const members of grouped(walked)) {
    const names = members.map(({ name }) => name);
    try {
      const nodes: PieceNode[] = [];
      for (const { node, ref } of members.flatMap((member) => member.nodes)) {
        ref[0] = nodes.length;
        nodes.push(node);
      }
      const variables = members.map(({ name, value }): Piece["variables"][number] => [name, value, globals.has(name)]);
      const { data, tag } = writePiece({ nodes, variables } satisfies Piece);
      if (data.byteLength > maxBytes)
        throw new Unsavable(`it takes ${data.byteLength} bytes, more than the ${maxBytes} that a variable may`);
      groups.push({ names, data, tag, needs: new Set(members.flatMap(({ needs }) => [...needs])) });
    } catch (thrown) {
      for (const name of names) lost.set(name, reasonOf(thrown));
    }
  }
  return groups;
}

function grouped(walked: readonly WalkedVariable[]): WalkedVariable[][] {
  const groupOf = new Map<string, WalkedVariable[]>();
  for (const variable of walked) {
    const joined = [variable];
    for (const other of variable.sharing) {
      const group = groupOf.get(other);
      if (group !== undefined && !joined.includes(group[0]!)) joined.unshift(...group);
    }
    for (const member of joined) groupOf.set(member.name, joined);
  }
  return [...new Set(groupOf.values())];
}

/** Leaves out what is beyond the budget, and then what needs what is left out. */
function settled(groups: Group[], lost: Map<string, string>, maxTotalBytes: number): Group[] {
  let total = 0;
  let kept = groups.filter(({ names, data }) => {
    if (total + data.byteLength > maxTotalBytes) {
      for (const name of names) lost.set(name, `all variables together may take ${maxTotalBytes} bytes`);
      return false;
    }
    total += data.byteLength;
    return true;
  });
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    kept = kept.filter(({ names, needs }) => {
      const missing = [...needs].find((name) => lost.has(name));
      if (missing === undefined) return true;
      for (const name of names) lost.set(name, `it needs ${missing}, which is not saved`);
      return false;
    });
  }
  return kept;
}
