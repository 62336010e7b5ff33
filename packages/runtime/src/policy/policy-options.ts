import type { EffectClass } from "@artificer/protocol";
import type { SkillLifecycle } from "../skills/skill-library.js";
import type { Decider } from "./approvals.js";

/** What becomes of a call: it goes ahead, a person is asked, or it is refused. */
export type PolicyAction = "allow" | "ask" | "deny";

type Scalar = string | number | boolean | null;

/** What an argument has to be for a rule to match. All that is given has to hold. */
export interface ArgumentTest {
  /** Is exactly this, or one of these. */
  is?: Scalar | readonly Scalar[];
  /** Matches a pattern, whole, in which `*` stands for any characters and `?` for one. */
  glob?: string | readonly string[];
  /** Holds a match of this regular expression. */
  matches?: string;
  /** Is a path that stays in this folder once `..` is worked out. */
  under?: string | readonly string[];
  /** Is an address whose host matches one of these patterns. */
  host?: string | readonly string[];
  min?: number;
  max?: number;
  /** Whether it is given at all. */
  given?: boolean;
  not?: ArgumentPattern;
}

/** A plain value means that the argument is exactly that. */
export type ArgumentPattern = Scalar | ArgumentTest;

/** One rule. Everything that it names has to match. */
export interface PolicyRule {
  action: PolicyAction;
  /** `toolkit.tool`, with `*` and `?`; by the tool's own names or those that cells use. Absent: every tool. */
  tool?: string | readonly string[];
  effect?: EffectClass | readonly EffectClass[];
  /** By dotted path, `*` for every item or member: `{ "options.force": true, "urls.*": { host: "example.org" } }`. */
  args?: Readonly<Record<string, ArgumentPattern>>;
  /** The life-cycle of a skill that the cell has loaded. */
  skill?: SkillLifecycle | readonly SkillLifecycle[];
  /** `main`: the session that people opened. `sub`: a sub-agent's. */
  agent?: "main" | "sub";
  /** Told to whoever is asked or refused. */
  reason?: string;
}

/** Bounds on what the calls of one cell, or of a session, use up together. */
export interface CallBudget {
  calls?: number;
  /** Time that the tools took. */
  seconds?: number;
  /** Encoded size of the results. */
  bytes?: number;
}

/** What a session's tool calls may do. Everything is optional; an empty policy allows all but dangerous commands. */
export interface PolicyOptions {
  /** The first that matches counts. */
  rules?: readonly PolicyRule[];
  /** Where no rule matches. Default `allow`; by effect class, those left out are allowed. */
  default?: PolicyAction | Readonly<Partial<Record<EffectClass, PolicyAction>>>;
  /** A whitelist: every tool that matches none of these patterns is refused. */
  only?: readonly string[];
  /** Effect classes by pattern of the tool's name; what a tool says of itself counts where none matches. */
  effects?: Readonly<Record<string, EffectClass>>;
  /** What becomes of commands that are known to do harm, where no rule says so. Default `ask`. */
  dangerousCommands?: PolicyAction;
  /** `ask`: a person approves every cell before it runs. Default `allow`. */
  cells?: "allow" | "ask";
  budgets?: { cell?: CallBudget; session?: CallBudget };
  /** Calls under way at once: in the session, and of each tool by pattern. Others wait in the order they came. */
  concurrency?: { session?: number; tools?: Readonly<Record<string, number>> };
  /** Encoded size of a result, in bytes, by pattern; instead of the session's `maxResultBytes`. */
  maxResultBytes?: Readonly<Record<string, number>>;
  /** How long results are kept and given again for the same arguments, in milliseconds, by pattern. Only of tools that read, or say that they can be. */
  cacheMs?: Readonly<Record<string, number>>;
  /** Calls are listed and not made; `reads` lets those that only read go ahead. */
  dryRun?: boolean | "reads";
  approval?: ApprovalOptions;
}

/** Who decides what is asked, and for how long it waits. */
export interface ApprovalOptions {
  decide?: Decider;
  /** How long a call waits for a decision, in milliseconds. Default 300,000. */
  timeoutMs?: number;
  /** Calls that may wait at once; further ones are refused. Default 20. */
  maxPending?: number;
}
