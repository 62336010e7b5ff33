export { createLocalEmbedder } from "@artificer/embeddings/local";
export { createSubprocessExecutor } from "@artificer/executors/subprocess";
export { createPythonKernel } from "@artificer/kernel-python";
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
  type ArtifactInfo,
  createMemoryStorage,
  type Dep,
  type DepInstaller,
  defaultLimits,
  type Outcome,
  type RunOptions,
  type SessionLimits,
  type SessionProblem,
  type Skill,
  type SkillDraft,
  type SkillInfo,
  type SkillMatch,
  type ToolInfo,
  type ToolMatch,
} from "@artificer/runtime";
export { openFileStorage } from "@artificer/storage-file";
export { createCliToolkit, loadCliToolkits, starterDefinitions } from "@artificer/tools/cli";
export { createToolkit, defineTool } from "@artificer/tools/functions";
export { type Config, configSchema } from "./config/config-schema.js";
export { parseConfig } from "./config/parse-config.js";
export { createPipInstaller, type PipInstallerOptions } from "./deps/create-pip-installer.js";
export { type FromBaseOptions, Session, type SessionOptions } from "./session/session.js";
