export {
  collectGarbage,
  type Garbage,
  type GarbageOptions,
  type Inventory,
  type PlannedItem,
  type Side,
  type SideState,
  type StoreFault,
  type StoreItem,
  type StoreKind,
  type StorePeer,
  type StoreVerification,
  storeKinds,
  type TransferAction,
  type TransferDirection,
  type TransferOptions,
  type TransferProgress,
  type TransferReport,
  type TransferredItem,
  takeInventory,
  transferStores,
  type VerifyOptions,
  verifyStore,
} from "@artificer/runtime";
export type { ReferenceLookup } from "../storage/expand-references.js";
export type { ArchiveEntry, ArchiveManifest } from "./archive-manifest.js";
export { checkStoredText } from "./check-stored-text.js";
export { diffTexts, type TextDifference } from "./diff-texts.js";
export { type Migration, migrateStore } from "./migrate-store.js";
export { type ImportSource, openImport } from "./open-import.js";
export { type OpenPeer, type OpenPeerOptions, openPeer } from "./open-peer.js";
export type { ImportedItem } from "./predecessor/predecessor-source.js";
export { type BaseStores, type StoreReference, storesOfBase } from "./stores-of-base.js";
export { type WriteArchiveOptions, writeArchive } from "./write-archive.js";
