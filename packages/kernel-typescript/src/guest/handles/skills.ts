import type { HostLink } from "../host-link.js";
import { now } from "../primordials.js";
import type { SkillRunner } from "../skill-runner.js";

type Options = Record<string, unknown>;

/** What `skills.load` answers. */
export interface LoadedSkill {
  name: string;
  language: string;
  version: number;
  hash: string;
  source: string;
}

/**
 * `skills`, for code that runs below the skills of `stack`, the outermost first. Every skill has handles of its own, so that the
 * stack needs no asynchronous context to be known.
 */
export function createSkills(host: HostLink, runner: SkillRunner, stack: readonly string[]): Record<string, unknown> {
  const methods: Record<string, unknown> = {
    list: function list(options: Options = {}) {
      return host.request("skills.list", options, list);
    },
    search: function search(query: string, limit?: number | { limit?: number }) {
      const most = typeof limit === "object" ? limit.limit : limit;
      return host.request("skills.search", { query, ...(most === undefined ? {} : { limit: most }) }, search);
    },
    get: function get(name: string) {
      return host.request("skills.get", { name }, get);
    },
    create: function create(skill: Options | string, source?: string, options: Options = {}) {
      const draft = typeof skill === "string" ? { ...options, name: skill, source } : skill;
      return host.request("skills.create", { language: "typescript", ...draft }, create);
    },
    delete: function remove(name: string) {
      return host.request("skills.delete", { name }, remove);
    },
    invoke,
  };

  async function invoke(name: string, args: Options = {}): Promise<unknown> {
    const request = { name, args, stack };
    const loaded = (await host.request("skills.load", request, invoke)) as LoadedSkill;
    if (loaded.language !== "typescript") return host.request("skills.invoke", request, invoke);
    const started = now();
    const used = (outcome: object) => {
      const told = { name: loaded.name, version: loaded.version, ms: now() - started, ...outcome };
      // Learning from a run must not fail it.
      host.request("skills.used", told, invoke).catch(() => {});
    };
    try {
      const value = await runner.run(loaded, args, stack);
      used({ ok: true });
      return value;
    } catch (error) {
      used({ ok: false, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
      throw error;
    }
  }

  return new Proxy(methods, {
    get(target, key, receiver) {
      if (typeof key === "symbol" || key in target || key === "then" || key === "toJSON")
        return Reflect.get(target, key, receiver);
      return (args?: Options) => invoke(key, args);
    },
  });
}
