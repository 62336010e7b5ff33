import type { EffectClass } from "@artificer/protocol";
import type { SkillLifecycle } from "../skills/skill-library.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import { type ArgumentsTest, argumentTest } from "./argument-pattern.js";
import { findDanger, isShellTool } from "./dangerous-commands.js";
import type { PolicyAction, PolicyOptions, PolicyRule } from "./policy-options.js";
import { type ToolMatcher, toolMatcher } from "./tool-names.js";

/** What a policy says of one call. */
export interface Verdict {
  action: PolicyAction;
  reason: string;
  /** True when it depends on the arguments: an approval of one call is then none of the next. */
  byArguments: boolean;
}

/** What a verdict is found by, besides the tool. */
export interface VerdictFacts {
  args: Readonly<Record<string, unknown>>;
  /** Life-cycles of the skills that the cell has loaded. */
  skills: readonly SkillLifecycle[];
  agent: "main" | "sub";
}

/** The rules that can matter for one tool, in order; the last always matches. */
export interface ToolRules {
  /** True when every call is allowed, whatever its arguments. */
  free: boolean;
  verdict(facts: VerdictFacts): Verdict;
}

interface CompiledRule {
  rule: PolicyRule;
  matchesTool(entry: ToolEntry): boolean;
  matches(facts: VerdictFacts): boolean;
  byArguments: boolean;
}

/** Makes a policy's rules ready. They are checked already. */
export function compilePolicy(options: PolicyOptions): (entry: ToolEntry) => ToolRules {
  const rules = (options.rules ?? []).map(compileRule);
  const whitelist = options.only && toolMatcher(options.only, { strict: true });
  return (entry) => {
    const { effect, tags } = entry.definition;
    if (whitelist !== undefined && !whitelist(entry))
      return always("deny", "it is not among the tools that this session may use");
    const action = typeof options.default === "string" ? options.default : (options.default?.[effect] ?? "allow");
    const last: Verdict = { action, reason: `it is a tool of the class ${effect}`, byArguments: false };
    const danger = isShellTool(tags) ? (options.dangerousCommands ?? "ask") : "allow";
    const own = rules.filter((rule) => rule.matchesTool(entry));
    if (own.length === 0 && danger === "allow") return { free: action === "allow", verdict: () => last };
    const verdict = (facts: VerdictFacts): Verdict => {
      const args = withDefaults(entry, facts.args);
      const found = own.find((rule) => rule.matches({ ...facts, args }));
      if (found !== undefined) return told(found);
      const what = danger === "allow" ? undefined : commandDanger(args);
      // Never milder than what would have held without the list.
      if (what !== undefined && strictness[danger] > strictness[action])
        return { action: danger, reason: `the command ${what}`, byArguments: true };
      return last;
    };
    return { free: false, verdict };
  };
}

const strictness: Record<PolicyAction, number> = { allow: 0, ask: 1, deny: 2 };

/** Of several verdicts, the strictest; of equally strict ones, the first. */
export function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((worst, next) => (strictness[next.action] > strictness[worst.action] ? next : worst));
}

function always(action: PolicyAction, reason: string): ToolRules {
  return { free: action === "allow", verdict: () => ({ action, reason, byArguments: false }) };
}

function told({ rule, byArguments }: CompiledRule): Verdict {
  return { action: rule.action, reason: rule.reason ?? "a rule of the policy says so", byArguments };
}

function compileRule(rule: PolicyRule): CompiledRule {
  const restricts = rule.action !== "allow";
  const effects = rule.effect === undefined ? undefined : new Set([rule.effect].flat() as EffectClass[]);
  const named: ToolMatcher | undefined =
    rule.tool === undefined ? undefined : toolMatcher([rule.tool].flat() as string[], { strict: !restricts });
  const skills = rule.skill === undefined ? undefined : new Set([rule.skill].flat() as SkillLifecycle[]);
  const tests: ArgumentsTest[] = Object.entries(rule.args ?? {}).map(([path, pattern]) => argumentTest(path, pattern));
  return {
    rule,
    byArguments: tests.length > 0,
    matchesTool: (entry) => (named?.(entry) ?? true) && (effects?.has(entry.definition.effect) ?? true),
    matches: (facts) => {
      if (rule.agent !== undefined && rule.agent !== facts.agent) return false;
      if (skills !== undefined && !skillsMatch(skills, facts.skills, restricts)) return false;
      return tests.every((test) => test(facts.args, restricts));
    },
  };
}

/** What restricts matches when any of the cell's skills does; what grants, when there are some and all do. */
function skillsMatch(
  wanted: ReadonlySet<SkillLifecycle>,
  loaded: readonly SkillLifecycle[],
  restricts: boolean,
): boolean {
  if (restricts) return loaded.some((each) => wanted.has(each));
  return loaded.length > 0 && loaded.every((each) => wanted.has(each));
}

/** An argument that is left out has its schema's default, so that leaving it out dodges nothing. */
function withDefaults(
  { schema }: ToolEntry,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const missing = schema.parameters.filter(({ name, hasDefault }) => hasDefault && !Object.hasOwn(args, name));
  if (missing.length === 0) return args;
  return { ...Object.fromEntries(missing.map((parameter) => [parameter.name, parameter.default])), ...args };
}

function commandDanger(args: Readonly<Record<string, unknown>>): string | undefined {
  for (const value of Object.values(args)) {
    const what = typeof value === "string" ? findDanger(value) : undefined;
    if (what !== undefined) return what;
  }
  return undefined;
}
