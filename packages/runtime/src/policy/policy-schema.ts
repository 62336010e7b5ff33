import { z } from "zod";
import type { Decider } from "./approvals.js";
import { compileExpression } from "./compile-expression.js";
import type { ArgumentPattern } from "./policy-options.js";

const text = z.string().min(1);
const texts = z.union([text, z.array(text).min(1)]);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const action = z.enum(["allow", "ask", "deny"]);
const effect = z.enum(["read", "write", "destructive", "egress"]);
const lifecycle = z.enum(["draft", "tested", "trusted", "stale", "retired"]);
const count = z.int().positive();

const expression = z.string().refine(isExpression, "is no valid regular expression");

const argumentTestSchema = z.strictObject({
  is: z.union([scalar, z.array(scalar).min(1)]).optional(),
  glob: texts.optional(),
  matches: expression.optional(),
  under: texts.optional(),
  host: texts.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  given: z.boolean().optional(),
  get not() {
    return argumentPattern.optional();
  },
});
const argumentPattern: z.ZodType<ArgumentPattern> = z.lazy(() => z.union([scalar, argumentTestSchema])) as never;

/** One rule of a policy. */
export const policyRule = z.strictObject({
  action,
  tool: texts.optional(),
  effect: z.union([effect, z.array(effect).min(1)]).optional(),
  args: z.record(text, argumentPattern).optional(),
  skill: z.union([lifecycle, z.array(lifecycle).min(1)]).optional(),
  agent: z.enum(["main", "sub"]).optional(),
  reason: text.optional(),
});

const budget = z.strictObject({
  calls: count.optional(),
  seconds: z.number().positive().optional(),
  bytes: count.optional(),
});
const longestMs = 2 ** 31 - 1;

/** A policy as a program writes it; a configuration has the same in its own words. */
export const policySchema = z.strictObject({
  rules: z.array(policyRule).optional(),
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
  only: z.array(text).optional(),
  effects: z.record(text, effect).optional(),
  dangerousCommands: action.optional(),
  cells: z.enum(["allow", "ask"]).optional(),
  budgets: z.strictObject({ cell: budget.optional(), session: budget.optional() }).optional(),
  concurrency: z.strictObject({ session: count.optional(), tools: z.record(text, count).optional() }).optional(),
  maxResultBytes: z.record(text, count).optional(),
  cacheMs: z.record(text, count.max(longestMs)).optional(),
  dryRun: z.union([z.boolean(), z.literal("reads")]).optional(),
  approval: z
    .strictObject({
      decide: z.custom<Decider>((value) => typeof value === "function", "has to be a function").optional(),
      timeoutMs: count.max(longestMs).optional(),
      maxPending: count.optional(),
    })
    .optional(),
});

function isExpression(source: string): boolean {
  try {
    compileExpression(source);
    return true;
  } catch {
    return false;
  }
}
