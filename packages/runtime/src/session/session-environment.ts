import {
  type EnvironmentRules,
  type HostEnvironment,
  isWithheld,
  type KernelLocation,
  kernelEnvironment,
} from "../kernel/kernel-environment.js";
import { isManagedCredential } from "../kernel/managed-credentials.js";
import type { SessionProblem } from "./session-options.js";

export interface SessionEnvironmentOptions {
  host: HostEnvironment;
  extra?: Readonly<Record<string, string>>;
  rules?: EnvironmentRules;
  onProblem(problem: SessionProblem): void;
}

/** What a session's kernels see of the host's environment: fixed at a kernel's start, widened for the next one by skills. */
export interface SessionEnvironment {
  /** For a kernel that starts now. */
  build(location: KernelLocation): Record<string, string>;
  /** What was asked for by name, by the configuration or a skill, and is set. */
  asked(): Readonly<Record<string, string>>;
  /**
   * A skill says which variables it needs.
   *
   * @returns a remark for whoever runs it, when the kernel that was started last lacks some.
   */
  require(skill: string, names: readonly string[]): string | undefined;
}

export function createSessionEnvironment(options: SessionEnvironmentOptions): SessionEnvironment {
  const { host, extra = {}, rules = {}, onProblem } = options;
  const asked = new Set<string>();
  let latest: Record<string, string> | undefined;

  function ask(name: string, who: string): void {
    const exact = name.trim();
    if (exact === "") return;
    const credential = isManagedCredential(exact) || isWithheld(host[exact] ?? "", rules);
    if (!credential) asked.add(exact);
    else onProblem(refused(exact, who));
  }

  for (const name of rules.passthrough ?? []) ask(name, "terminal.env_passthrough");
  for (const [name, value] of Object.entries(extra)) {
    if (name.toUpperCase().startsWith("ARTIFICER_") || isWithheld(value, rules))
      onProblem(refused(name, "the session's env"));
  }

  return {
    build(location) {
      latest = kernelEnvironment(host, location, { ...rules, extra, passthrough: [...asked] });
      return latest;
    },
    asked() {
      const set: Record<string, string> = {};
      for (const name of asked) if (host[name] !== undefined) set[name] = host[name];
      return set;
    },
    require(skill, names) {
      for (const name of names) ask(name, `the skill ${skill}`);
      const lacking = names.filter((name) => asked.has(name) && latest !== undefined && latest[name] === undefined);
      if (lacking.length === 0) return undefined;
      const unset = lacking.filter((name) => host[name] === undefined);
      if (unset.length > 0) return `The skill ${skill} needs ${unset.join(", ")}, not set in the host's environment.`;
      return `The skill ${skill} needs ${lacking.join(", ")}. This kernel was started without; a restarted one has it.`;
    },
  };
}

function refused(name: string, who: string): SessionProblem {
  return {
    code: "session/variable-refused",
    message: `${name} is not passed to cells, though ${who} asks for it: it is the host's own credential or setting.`,
    hint: "Reach the service through a tool; the host uses the credential for it.",
  };
}
