import { policyRule } from "@artificer/runtime";
import { z } from "zod";
import { bytes, seconds } from "./quantities.js";

const action = z.enum(["allow", "ask", "deny"]);
const effect = z.enum(["read", "write", "destructive", "egress"]);
const count = z.int().positive();
const pattern = z.string().min(1);
const budget = z.strictObject({
  calls: count.optional(),
  /** Seconds that the tools took, together. */
  seconds: z.number().positive().optional(),
  /** Size of the results, together. */
  bytes: bytes.optional(),
});

/** `policy` of config.yaml: what tool calls may do, and who is asked. Its presence turns the policy on. */
export const policySection = z
  .strictObject({
    /** The first that matches counts. */
    rules: z.array(policyRule).optional(),
    /** Where no rule matches; by effect class, those left out are allowed. */
    default: z
      .union([
        action,
        z.strictObject({
          read: action.optional(),
          write: action.optional(),
          destructive: action.optional(),
          egress: action.optional(),
        }),
      ])
      .optional(),
    /** Tools that may be called at all. */
    only: z.array(pattern).optional(),
    /** Effect classes by pattern, where a tool says the wrong thing of itself. */
    effects: z.record(pattern, effect).optional(),
    /** What becomes of commands that are known to do harm. */
    dangerous_commands: action.optional(),
    /** `ask`: a person approves every cell before it runs. */
    cells: z.enum(["allow", "ask"]).optional(),
    budgets: z.strictObject({ cell: budget.optional(), session: budget.optional() }).optional(),
    /** Calls under way at once. */
    concurrency: z.strictObject({ session: count.optional(), tools: z.record(pattern, count).optional() }).optional(),
    /** Size of a result, by pattern. */
    max_result: z.record(pattern, bytes).optional(),
    /** Seconds that results are kept for, by pattern. */
    cache: z.record(pattern, seconds).optional(),
    /** Calls are listed and not made; `reads` lets those go ahead that only read. */
    dry_run: z.union([z.boolean(), z.literal("reads")]).optional(),
    approval: z
      .strictObject({
        /** Seconds that a call waits for a decision. */
        timeout: seconds.optional(),
        /** Calls that may wait at once. */
        max_pending: count.optional(),
      })
      .optional(),
  })
  .optional();
