import { capabilityCases } from "./capability-cases.js";
import type { ExecutorCase } from "./executor-case.js";
import { failureCases } from "./failure-cases.js";
import { outputCases } from "./output-cases.js";
import { stateCases } from "./state-cases.js";
import { stopCases } from "./stop-cases.js";
import { toolCases } from "./tool-cases.js";
import { valueCases } from "./value-cases.js";

/** Every executor runs all of these in every language it declares; nothing is skipped. */
export const executorCases: readonly ExecutorCase[] = [
  ...stateCases,
  ...valueCases,
  ...outputCases,
  ...failureCases,
  ...stopCases,
  ...toolCases,
  ...capabilityCases,
];
