import { policySchema } from "@artificer/runtime";
import { z } from "zod";
import { bytes, seconds } from "./quantities.js";

const { rules, default: fallback, only, effects, dangerousCommands, cells, concurrency, dryRun } = policySchema.shape;
const { maxPending } = policySchema.shape.approval.unwrap().shape;
const budget = policySchema.shape.budgets.unwrap().shape.cell.unwrap().extend({ bytes: bytes.optional() });
const pattern = z.string().min(1);

/**
 * `policy` of config.yaml: what tool calls may do, and who is asked. Its presence turns the policy on. It says what a program
 * says, in the words of a configuration: sizes with their unit, times in seconds.
 */
export const policySection = z
  .strictObject({
    /** The first that matches counts. */
    rules,
    /** Where no rule matches; by effect class, those left out are allowed. */
    default: fallback,
    /** Tools that may be called at all. */
    only,
    /** Effect classes by pattern, where a tool says the wrong thing of itself. */
    effects,
    /** What becomes of commands that are known to do harm. */
    dangerous_commands: dangerousCommands,
    /** `ask`: a person approves every cell before it runs. */
    cells,
    /** Calls, the seconds that the tools took together, and the size of their results together. */
    budgets: z.strictObject({ cell: budget.optional(), session: budget.optional() }).optional(),
    /** Calls under way at once. */
    concurrency,
    /** Size of a result, by pattern. */
    max_result: z.record(pattern, bytes).optional(),
    /** Seconds that results are kept for, by pattern. */
    cache: z.record(pattern, seconds).optional(),
    /** Calls are listed and not made; `reads` lets those go ahead that only read. */
    dry_run: dryRun,
    approval: z
      .strictObject({
        /** Seconds that a call waits for a decision. */
        timeout: seconds.optional(),
        /** Calls that may wait at once. */
        max_pending: maxPending,
      })
      .optional(),
  })
  .optional();
