import { Script } from "node:vm";
import { splitPrepared } from "../prepare/cell-header.js";
import { bridgeName } from "../prepare/emit-constructs.js";
import { SkillError } from "./guest-error.js";
import type { LoadedSkill } from "./handles/skills.js";
import type { Importer } from "./importer.js";
import { registerScript } from "./stack-trace.js";

type Run = (...args: unknown[]) => unknown;
type Scope = Record<string, unknown>;

interface Instance {
  run: Run;
  call: "object" | string[];
}

/** Runs skills, each in a scope of its own that is kept for as long as its source is the same. */
export class SkillRunner {
  readonly #importer: Importer;
  /** The handles for code below a stack of skills. */
  readonly #scope: (stack: readonly string[]) => Scope;
  readonly #instances = new Map<string, Promise<Instance>>();

  constructor(importer: Importer, scope: (stack: readonly string[]) => Scope) {
    this.#importer = importer;
    this.#scope = scope;
  }

  async run(skill: LoadedSkill, args: Record<string, unknown>, stack: readonly string[]): Promise<unknown> {
    const inner = [...stack, skill.name];
    const key = JSON.stringify([skill.hash, inner]);
    let instance = this.#instances.get(key);
    if (instance === undefined) {
      instance = this.#instantiate(skill, inner);
      this.#instances.set(key, instance);
      instance.catch(() => this.#instances.delete(key));
    }
    const { run, call } = await instance;
    return run(...(call === "object" ? [args] : positional(call, args, skill.name)));
  }

  /** Forgets every scope, after the handles in them have changed. */
  clear(): void {
    this.#instances.clear();
  }

  async #instantiate(skill: LoadedSkill, stack: readonly string[]): Promise<Instance> {
    const { header, body } = splitPrepared(skill.source);
    if (header.problem !== undefined) {
      const { message, line, column } = header.problem;
      throw new SkillError({ code: "skill/syntax", message: `skill ${skill.name}:${line}:${column}: ${message}` });
    }
    const url = registerScript("skill", skill.name, header.shifts);
    const imports = Object.fromEntries(await this.#importer.bind(header.imports ?? []));
    const scope: Scope = { ...this.#scope(stack), [bridgeName]: Reflect.get(globalThis, bridgeName), ...imports };
    const names = Object.keys(scope);
    // The wrapper's first line is line 0, so that the skill's own begin at 1; handles are outside, for the skill to shadow.
    const text = `(async function (${names.join(",")}) { "use strict"; return await (async () => {\n${body}\n;return typeof run === "undefined" ? undefined : run; })(); })`;
    const make = new Script(text, { filename: url, lineOffset: -1 }).runInThisContext() as (
      ...values: unknown[]
    ) => Promise<Run>;
    const run = await make(...Object.values(scope));
    if (typeof run !== "function") {
      throw new SkillError({ code: "skill/no-run", message: `The skill ${skill.name} defines no function run.` });
    }
    return { run, call: header.call ?? "object" };
  }
}

function positional(names: readonly string[], args: Record<string, unknown>, skill: string): unknown[] {
  const unknown = Object.keys(args).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new SkillError({
      code: "usage/invalid-argument",
      message: `The skill ${skill} takes no argument ${unknown.join(", ")}.`,
      hint: `It takes ${names.join(", ")}.`,
    });
  }
  return names.map((name) => args[name]);
}
