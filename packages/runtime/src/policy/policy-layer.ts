import type { EffectClass } from "@artificer/protocol";
import type { ToolEntry } from "../tools/tool-entry.js";
import { type BudgetCounter, createBudgetCounter } from "./call-budget.js";
import { type CallQueue, createCallQueue } from "./call-queue.js";
import { compilePolicy, type ToolRules } from "./compiled-policy.js";
import type { PolicyOptions } from "./policy-options.js";
import { toolValue } from "./tool-names.js";

type NamedTool = Pick<ToolEntry, "path" | "aliases">;

/** One policy, ready, with what it counts. Sub-agents share those of their parents: what they use up is used up for all. */
export interface PolicyLayer {
  readonly options: PolicyOptions;
  rulesFor(entry: ToolEntry): ToolRules;
  effectOf(tool: NamedTool): EffectClass | undefined;
  maxResultBytes(tool: NamedTool): number | undefined;
  cacheMs(tool: NamedTool): number | undefined;
  /** The places that a call of the tool has to get: the tool's own first, so that a waiting one holds none of the session's. */
  queues(tool: NamedTool): readonly CallQueue[];
  readonly sessionBudget: BudgetCounter | undefined;
  cellBudget(): BudgetCounter | undefined;
}

export function createPolicyLayer(options: PolicyOptions): PolicyLayer {
  const { budgets, concurrency } = options;
  const rulesFor = compilePolicy(options);
  const sessionQueue = concurrency?.session === undefined ? undefined : createCallQueue(concurrency.session);
  const toolLimit = toolValue(concurrency?.tools);
  const toolQueues = new Map<string, CallQueue>();
  return {
    options,
    rulesFor,
    effectOf: toolValue(options.effects),
    maxResultBytes: toolValue(options.maxResultBytes),
    cacheMs: toolValue(options.cacheMs),
    queues(tool) {
      const limit = toolLimit(tool);
      let own = toolQueues.get(tool.path);
      if (limit !== undefined && own === undefined) {
        own = createCallQueue(limit);
        toolQueues.set(tool.path, own);
      }
      return [...(own === undefined ? [] : [own]), ...(sessionQueue === undefined ? [] : [sessionQueue])];
    },
    sessionBudget: budgets?.session && createBudgetCounter(budgets.session, "session"),
    cellBudget: () => budgets?.cell && createBudgetCounter(budgets.cell, "cell"),
  };
}
