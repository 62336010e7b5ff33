export { createLocalEmbedder } from "@artificer/embeddings/local";
export { createContainerExecutor } from "@artificer/executors/container";
export { createInprocessExecutor } from "@artificer/executors/inprocess";
export { createRemoteExecutor, type RemoteExecutorOptions } from "@artificer/executors/kernel-server";
export { createSandboxExecutor } from "@artificer/executors/sandbox";
export { createSubprocessExecutor } from "@artificer/executors/subprocess";
export { createPythonKernel } from "@artificer/kernel-python";
export { createTypescriptKernel } from "@artificer/kernel-typescript";
export {
  ArtificerError,
  type CellEngine,
  type Display,
  type Embedder,
  type ErrorCode,
  type Executor,
  errorCodes,
  type Language,
  nearestName,
  type OutcomeData,
  type OutcomeStatus,
  type OutputChunk,
  type Reference,
  type Storage,
  storageKey,
  type ToolCallRecord,
  type ToolDefinition,
  type Toolkit,
  type Value,
  type VariableInfo,
  valueToJson,
} from "@artificer/protocol";
export {
  type ApprovalDecision,
  type ApprovalOptions,
  type ApprovalRequest,
  type Approvals,
  type ArgumentPattern,
  type ArgumentTest,
  type ArtifactInfo,
  type CallBudget,
  type CatalogOptions,
  type CellToolProgress,
  createKernelPool,
  createMemoryStorage,
  type Decider,
  type DeletedSession,
  type DeleteSessionOptions,
  type Dep,
  type DepInstaller,
  defaultLimits,
  deleteSession,
  type EnvironmentRules,
  type Heartbeat,
  type HookedCall,
  type KeptOutputLimits,
  type KernelInfo,
  type KernelPool,
  type KernelPoolOptions,
  listSessions,
  type Outcome,
  type PolicyAction,
  type PolicyOptions,
  type PolicyRule,
  type RunOptions,
  renderPythonModuleStubs,
  renderPythonStubs,
  renderTypescriptStubs,
  type SessionInfo,
  type SessionLimits,
  type SessionMode,
  type SessionProblem,
  type SessionVariable,
  type SharedInfo,
  type Skill,
  type SkillDraft,
  type SkillInfo,
  type SkillMatch,
  type StartupCode,
  sweepKeptOutputs,
  type ToolHook,
  type ToolInfo,
  type ToolMatch,
} from "@artificer/runtime";
export { openFileStorage } from "@artificer/storage-file";
export { createCliToolkit, loadCliToolkits, starterDefinitions } from "@artificer/tools/cli";
export { createToolkit, defineTool } from "@artificer/tools/functions";
export type { AgentTool, AgentToolCallOptions } from "./agent-tools/agent-tool.js";
export {
  type CodeModeAnswer,
  type CodeModeToolsOptions,
  createCodeModeTools,
} from "./agent-tools/create-code-mode-tools.js";
export {
  createExecuteCodeTool,
  type ExecuteCodeAnswer,
  type ExecuteCodeToolOptions,
} from "./agent-tools/create-execute-code-tool.js";
export {
  type ApprovalsHandler,
  type ApprovalsHandlerOptions,
  openApprovalsHandler,
} from "./approvals/open-approvals-handler.js";
export { type Config, configSchema, type ExecutorKind, executorKinds } from "./config/config-schema.js";
export { parseConfig } from "./config/parse-config.js";
export { createPipInstaller, type PipInstallerOptions } from "./deps/create-pip-installer.js";
export { type ServeKernelsOptions, serveKernels } from "./kernel-server/serve-kernels.js";
export { type FromBaseOptions, Session, type SessionOptions } from "./session/session.js";
export { type OpenStorageOptions, openStorage } from "./storage/open-storage.js";
export type { StoragePart } from "./storage/storage-address.js";
export type { VenvOptions } from "./venv/venv-options.js";
