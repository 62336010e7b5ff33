import type { Value } from "@artificer/protocol";
import { z } from "zod";
import type { Skill, SkillInfo } from "../skills/skill-library.js";
import type { Handler } from "./handle-context.js";
import { parseParams } from "./parse-params.js";

const named = z.object({ name: z.string() });
const stack = z.array(z.string()).max(1000).default([]);
const invocation = named.extend({ args: z.record(z.string(), z.custom<Value>()).default({}), stack });

function plain(info: SkillInfo): Record<string, unknown> {
  const { name, description, version, language, tags, parameters, lifecycle, signature, problem } = info;
  return { name, description, version, language, tags, parameters, lifecycle, signature, problem };
}

const whole = (skill: Skill) => ({ ...plain(skill), source: skill.source });

const list: Handler = async ({ skills }, params) => {
  const { tag } = parseParams(z.object({ tag: z.string().nullish() }), params, "skills.list");
  return (await (await skills()).list(tag == null ? {} : { tag })).map(plain);
};

const search: Handler = async ({ skills }, params, { withdrawal }) => {
  const schema = z.object({ query: z.string(), limit: z.int().positive().max(1000).default(10) });
  const { query, limit } = parseParams(schema, params, "skills.search");
  const found = await (await skills()).search(query, { limit, signal: withdrawal.signal });
  return found.map((match) => ({ ...plain(match), score: match.score }));
};

const get: Handler = async ({ skills }, params) =>
  whole(await (await skills()).get(parseParams(named, params, "skills.get").name));

const create: Handler = async ({ skills }, params, call) => {
  const schema = z.object({
    name: z.string(),
    source: z.string(),
    description: z.string().nullish(),
    language: z.enum(["python", "typescript"]).nullish(),
    tags: z.array(z.string()).nullish(),
    replace: z.boolean().default(false),
  });
  const { replace, description, language, tags, ...draft } = parseParams(schema, params, "skills.create");
  const filled = {
    ...draft,
    language: language ?? call.language,
    ...(description == null ? {} : { description }),
    ...(tags == null ? {} : { tags }),
  };
  return whole(await (await skills()).create(filled, { replace }));
};

const remove: Handler = async ({ skills }, params) =>
  (await skills()).delete(parseParams(named, params, "skills.delete").name);

const load: Handler = async ({ skills, prepareSkill, policy }, params, { language, cell }) => {
  const request = parseParams(named.extend({ stack }), params, "skills.load");
  const library = await skills();
  const skill = await library.load(request.name, request.stack);
  if (policy.minds.skills) policy.skillLoaded(cell, (await library.get(request.name)).lifecycle);
  return skill.language === language ? { ...skill, source: prepareSkill(language, skill.source) } : skill;
};

const invoke: Handler = async (namespaces, params, { active, cell, language, withdrawal }) => {
  const { name, args, stack } = parseParams(invocation, params, "skills.invoke");
  const skill = await (await namespaces.skills()).load(name, stack);
  active?.clock.pause();
  try {
    return await namespaces.invokeElsewhere(
      { from: language, cell, language: skill.language, name, args },
      withdrawal.signal,
    );
  } finally {
    active?.clock.resume();
  }
};

const used: Handler = async ({ skills }, params) => {
  const schema = named.extend({
    version: z.int(),
    ok: z.boolean(),
    ms: z.number().nonnegative(),
    error: z.string().nullish(),
    query: z.string().nullish(),
  });
  const { error, query, ...use } = parseParams(schema, params, "skills.used");
  await (await skills()).used({ ...use, ...(error == null ? {} : { error }), ...(query == null ? {} : { query }) });
  return null;
};

export const skillHandlers = {
  "skills.list": list,
  "skills.search": search,
  "skills.get": get,
  "skills.create": create,
  "skills.delete": remove,
  "skills.load": load,
  "skills.invoke": invoke,
  "skills.used": used,
} as const;
