export { analyzeTypescript } from "./analyze/analyze-typescript.js";
export { createTypescriptKernel, type TypescriptKernelOptions } from "./create-typescript-kernel.js";
export { type PreparedCell, prepareCell } from "./prepare/prepare-cell.js";
export { prepareSkill } from "./prepare/prepare-skill.js";
