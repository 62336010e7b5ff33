import type { Side, StoreKind } from "artificer/store";
import { baseFlags } from "./shared-flags.js";
import { storeKinds } from "./store-kinds.js";

/** Flags that every command on one store has. */
export interface StoreFlags {
  base?: string;
  json?: boolean;
  debug?: boolean;
}

/** Definitions of `StoreFlags`. */
export const storeFlags = { base: baseFlags.base, json: baseFlags.json, debug: baseFlags.debug } as const;

/** Flags of the commands that bring two stores together. */
export interface TransferFlags extends StoreFlags {
  local?: string;
  kind?: readonly StoreKind[];
  only?: readonly string[];
  ours?: readonly string[];
  theirs?: readonly string[];
  delete?: boolean;
  dryRun?: boolean;
  allowSecrets?: boolean;
}

const names = { kind: "parsed", parse: String, optional: true, variadic: true, placeholder: "NAME" } as const;

/** `--kind`. */
export const kindFlag = {
  kind: "enum",
  values: storeKinds,
  optional: true,
  variadic: ",",
  brief: "Only these kinds [default = skills,tools,deps,artifacts]",
} as const;

/** `--dry-run`. */
export const dryRunFlag = {
  kind: "boolean",
  optional: true,
  withNegated: false,
  brief: "Only tell what would be done",
} as const;

/** Definitions of `TransferFlags`. */
export const transferFlags = {
  local: {
    kind: "parsed",
    parse: String,
    optional: true,
    placeholder: "URL",
    brief: "The store on this side [default = the base folder]",
  },
  kind: kindFlag,
  only: { ...names, brief: "Only this item, such as skills/count_words or 'artifacts/reports/*'" },
  ours: { ...names, brief: "Where both changed this item, take the one of this side; * for all" },
  theirs: { ...names, brief: "Where both changed it, take the other's" },
  delete: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "Delete what was deleted on the other side too",
  },
  dryRun: dryRunFlag,
  allowSecrets: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "Carry over files even if they hold what looks like a secret",
  },
  ...storeFlags,
} as const;

/** What the flags decide about items. */
export function decisions({ ours = [], theirs = [] }: TransferFlags): (id: string) => Side | undefined {
  const [here, there] = [matcher(ours), matcher(theirs)];
  return (id) => (here(id) ? "ours" : there(id) ? "theirs" : undefined);
}

/** Whether an item is meant: by its whole name, by the name behind its kind, or by a pattern with `*`. */
export function matcher(patterns: readonly string[]): (id: string) => boolean {
  const shapes = patterns.map(
    (pattern) => new RegExp(`^(?:[a-z]+/)?${pattern.split("*").map(escaped).join(".*")}$`, "s"),
  );
  return (id) => shapes.some((shape) => shape.test(id));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
