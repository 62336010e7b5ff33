export { type ExecutorCase, type ExecutorCaseContext, executorCases, openCase } from "./executor/executor-cases.js";
export type { ExecutorUnderTest } from "./executor/open-suite-session.js";
export { testExecutor } from "./executor/test-executor.js";
