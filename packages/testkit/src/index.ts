export { testEmbedder } from "./embedder/test-embedder.js";
export { type ExecutorCase, type ExecutorCaseContext, openCase } from "./executor/executor-case.js";
export { executorCases } from "./executor/executor-cases.js";
export type { ExecutorUnderTest } from "./executor/open-suite-session.js";
export { type TestExecutorOptions, testExecutor } from "./executor/test-executor.js";
export { awkwardKeys } from "./storage/key-cases.js";
export { storageCases } from "./storage/storage-cases.js";
export type { StorageCase, StorageHarness } from "./storage/storage-harness.js";
export { testStorage } from "./storage/test-storage.js";
