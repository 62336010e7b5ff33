export {
  type Bindings,
  bindings,
  type ParameterBinding,
  parameterBinding,
  type ToolBinding,
  type ToolkitBinding,
  toolBinding,
  toolkitBinding,
} from "./bindings.js";
export { byteChunks } from "./byte-chunks.js";
export { type CallGate, type CallGateOptions, createCallGate } from "./call-gate.js";
export type { CellChecker, CheckContext, RanCell } from "./cell-checker.js";
export { type CollectOptions, collectPieces, isPieces, type Pieces } from "./collect-pieces.js";
export type { Embedder, EmbedOptions } from "./embedder.js";
export { equalChunks } from "./equal-chunks.js";
export {
  ArtificerError,
  type ArtificerErrorOptions,
  type ErrorJson,
  errorFromJson,
  toArtificerError,
} from "./errors/artificer-error.js";
export { type ErrorCode, type ErrorCodeFacts, errorCodes, isErrorCode } from "./errors/error-codes.js";
export { nearestName, nearestNames } from "./errors/nearest-names.js";
export { schemaKeys } from "./errors/schema-keys.js";
export type {
  Executor,
  ExecutorCapabilities,
  HandOver,
  Interpreter,
  KernelChannel,
  KernelExit,
  KernelProgram,
  KernelSpec,
  ResourceLimits,
  SourceTools,
  ThreadMessage,
  ThreadPort,
  ThreadProgram,
  ThreadStart,
  Usability,
} from "./executor.js";
export type { JsonObject, JsonSchema, JsonValue } from "./json.js";
export { oneChunk } from "./one-chunk.js";
export type {
  CodeProblem,
  Display,
  Language,
  OutcomeData,
  OutcomeError,
  OutcomeStatus,
  OutputChunk,
  PlannedCall,
  StateReport,
  StreamName,
  ToolCallRecord,
  Truncation,
} from "./outcome.js";
export { readOnce } from "./read-once.js";
export {
  lineProblem,
  readAndRepeat,
  type ServerErrorContext,
  type ServerErrorMeaning,
  serverError,
} from "./server-error.js";
export { type SmallOrLarge, smallOrLarge } from "./small-or-large.js";
export type {
  Blob,
  BlobInfo,
  BlobStore,
  ChangeFeed,
  Lease,
  LeaseOptions,
  LeaseStore,
  ListOptions,
  Page,
  RecordStore,
  Storage,
  StorageCapabilities,
  StorageKey,
  StoredRecord,
  Subscription,
  WriteOptions,
} from "./storage.js";
export { compareKeys, keyProblem, maxKeyBytes, storageKey, storagePrefix } from "./storage-key.js";
export { changeScope, checkRevision, leaseTime, pageLimit, scopeMeets, storedJson } from "./storage-rules.js";
export type { EffectClass, ToolCallContext, ToolDefinition, Toolkit, ToolNeed, ToolProgress } from "./toolkit.js";
export { untilAborted } from "./until-aborted.js";
export { codecMark, createNumberArray, createReference, isNumberArray, isReference } from "./values/codec-mark.js";
export { type DecodedForms, decodeValue } from "./values/decode-value.js";
export { type EncodedValue, encodeValue } from "./values/encode-value.js";
export { viewOf } from "./values/number-views.js";
export { Table, type TableColumn, type TableRow } from "./values/table.js";
export { type ArrayDtype, FrozenSet, type NumberArray, type Reference, Tuple, type Value } from "./values/value.js";
export { toBase64, valueToJson } from "./values/value-to-json.js";
export {
  type CheckedVectors,
  checkDimensions,
  checkedVectors,
  checkVector,
  checkVectorId,
  maxDimensions,
  maxNearest,
  maxVectorIdBytes,
  nearestLimit,
} from "./vector-rules.js";
export type { NearestOptions, VectorEntry, VectorHit, VectorStore } from "./vector-store.js";
export { defaultFrameLimits, encodeFrame, type Frame, FrameDecoder, type FrameLimits } from "./wire/frame.js";
export { type HostMethod, hostMethods } from "./wire/host-methods.js";
export {
  type CellEngine,
  type CellError,
  type CellRunParams,
  type CellRunResult,
  cellEngine,
  cellError,
  cellRunParams,
  cellRunResult,
  type DisplayNotice,
  displayNotice,
  type KernelStartParams,
  type KernelStartResult,
  kernelPathsParams,
  kernelStartParams,
  kernelStartResult,
  type SourceAnalysis,
  type SourceParameter,
  sharedNamesParams,
  sourceAnalysis,
  sourceAnalyzeParams,
  sourceParameter,
  type VariableInfo,
  variablesListResult,
  variablesValueParams,
} from "./wire/kernel-methods.js";
export {
  type CancelMessage,
  cancelMessage,
  type NoticeMessage,
  noticeMessage,
  type RequestMessage,
  type ResponseMessage,
  requestMessage,
  responseMessage,
  type WireError,
  type WireMessage,
  wireError,
  wireMessage,
  wireVersion,
} from "./wire/messages.js";
export { readCellResult } from "./wire/read-cell-result.js";
export { readMessage } from "./wire/read-message.js";
export {
  type SnapshotFailure,
  type SnapshotFormat,
  type SnapshotGroup,
  type SnapshotRestoreParams,
  type SnapshotRestoreResult,
  type SnapshotSaveParams,
  type SnapshotSaveResult,
  snapshotFailure,
  snapshotFormat,
  snapshotGroup,
  snapshotNotice,
  snapshotRestoreParams,
  snapshotRestoreResult,
  snapshotSaveParams,
  snapshotSaveResult,
} from "./wire/snapshot-methods.js";
