import { ArtificerError, nearestName, schemaKeys } from "@artificer/protocol";
import type { z } from "zod";
import type { ToolEntry } from "../tools/tool-entry.js";
import { nameGlob } from "./name-glob.js";
import type { PolicyOptions } from "./policy-options.js";
import { policySchema } from "./policy-schema.js";
import { toolMatcher } from "./tool-names.js";

/** Checks a policy whole, before any cell runs. @throws ArtificerError `policy/invalid` naming the field, with the nearest known key or value */
export function checkPolicy(policy: unknown): PolicyOptions {
  const parsed = policySchema.safeParse(policy);
  if (parsed.success) return parsed.data as PolicyOptions;
  const issue = parsed.error.issues[0]!;
  const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const field = ["policy", ...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String).join(".");
  const known = unknown === undefined ? allowedValues(issue) : schemaKeys(policySchema, issue.path);
  const nearest = nearestName(unknown ?? String(valueAt(policy, issue.path)), known);
  throw new ArtificerError(
    "policy/invalid",
    unknown === undefined ? `${field}: ${issue.message}.` : `${field}: there is no such key.`,
    {
      details: { field, known },
      hint: [
        ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]),
        known.length === 0 ? "docs/policy.md lists what a policy may say." : `Known here: ${known.join(", ")}.`,
      ].join(" "),
    },
  );
}

/** Every tool name in a policy that no pattern is, with where it stands. */
function literalNames(policy: PolicyOptions): { name: string; field: string }[] {
  const named = [
    ...(policy.rules ?? []).flatMap(({ tool }, at) =>
      [tool ?? []].flat().map((name) => ({ name: String(name), field: `rules.${at}.tool` })),
    ),
    ...(policy.only ?? []).map((name, at) => ({ name, field: `only.${at}` })),
    ...(["effects", "maxResultBytes", "cacheMs"] as const).flatMap((key) =>
      Object.keys(policy[key] ?? {}).map((name) => ({ name, field: key })),
    ),
    ...Object.keys(policy.concurrency?.tools ?? {}).map((name) => ({ name, field: "concurrency.tools" })),
  ];
  return named.filter(({ name }) => nameGlob(name).literal);
}

/**
 * Checks a policy against the tools there are. A toolkit that is not there may only be out of reach now, and is told by `onUnknown`.
 *
 * @throws ArtificerError `policy/unknown-tool` for a tool that its toolkit lacks; `policy/not-cacheable`
 */
export function checkPolicyTools(
  policy: PolicyOptions,
  entries: readonly ToolEntry[],
  onUnknown: (problem: ArtificerError) => void,
): void {
  for (const { name, field } of literalNames(policy)) {
    if (entries.some(toolMatcher([name], { strict: false }))) continue;
    const error = unknownName(name, field, entries);
    const toolkit = name.slice(0, Math.max(0, name.indexOf(".")));
    if (entries.some(toolMatcher([`${toolkit}.*`], { strict: false }))) throw error;
    onUnknown(error);
  }
  for (const name of Object.keys(policy.cacheMs ?? {})) {
    if (!nameGlob(name).literal) continue;
    const entry = entries.find(toolMatcher([name], { strict: true }));
    if (entry === undefined || isCacheable(entry)) continue;
    throw new ArtificerError(
      "policy/not-cacheable",
      `policy.cacheMs: ${name} is of the class ${entry.definition.effect}: its results can't be kept.`,
      {
        details: { tool: entry.path, effect: entry.definition.effect },
        hint: "Leave it out, or have the tool declare `cacheable`, or set its class to read in `effects` if it only reads.",
      },
    );
  }
}

/** Whether results of a tool may be given again: it only reads, or says so itself. */
export function isCacheable({ definition }: ToolEntry): boolean {
  return definition.needs === undefined && (definition.cacheable ?? definition.effect === "read");
}

function unknownName(name: string, field: string, entries: readonly ToolEntry[]): ArtificerError {
  const nearest = nearestName(
    name,
    entries.map(({ path }) => path),
  );
  return new ArtificerError("policy/unknown-tool", `policy.${field}: there is no tool ${JSON.stringify(name)}.`, {
    details: { field: `policy.${field}`, tool: name, nearest: nearest === undefined ? [] : [nearest] },
    hint: nearest === undefined ? "Write toolkit.tool, or a pattern such as toolkit.*" : `Did you mean ${nearest}?`,
  });
}

function allowedValues(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap(allowedValues);
  return [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at: unknown, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], value);
}
