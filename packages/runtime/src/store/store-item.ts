import type { StoreKind } from "./store-kind.js";

/** One thing that can travel, as one store has it. */
export interface StoreItem {
  id: string;
  kind: StoreKind;
  /** The blob that holds it. */
  key: string;
  /** Of what it is: bytes and metadata; for a skill its text without the number of its version. Equal in two stores when both have the same. */
  hash: string;
  /** This store's own, for compare-and-set. */
  revision: string;
  bytes: number;
  updatedAt: Date;
  history?: SkillHistory;
  /** Set for a file of settings that says nothing: comments alone, as a new base has. */
  blank?: boolean;
}

/** What is known of a skill's versions without reading them. */
export interface SkillHistory {
  /** SHA-256 of the current file's text. */
  text: string;
  /** Of each version, the SHA-256 of its text under the numbers that it has here and had elsewhere. */
  versions: readonly (readonly string[])[];
  /** All of those. */
  known: ReadonlySet<string>;
}

/** A store's items by id. */
export type Inventory = ReadonlyMap<string, StoreItem>;
