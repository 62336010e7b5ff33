import { nearestNames } from "@artificer/protocol";
import type { CliDefinition } from "./definition.js";
import { type CliParameter, type CliToolPlan, planTools, schemaParameters } from "./plan-tools.js";

/** What is wrong with a definition, and where. */
export interface DefinitionProblem {
  path: PropertyKey[];
  message: string;
  allowed?: string[];
  nearest?: string[];
  hint?: string;
}

/** The first contradiction in a definition whose shape is fine: names that don't exist, values that don't fit, calls that can't be made. */
export function checkDefinition(definition: CliDefinition): DefinitionProblem | undefined {
  const parameters = schemaParameters(definition);
  return (
    checkNames(definition, parameters) ??
    checkVariadic(definition) ??
    firstOf(parameters.map((each) => checkDefault(each, pathOf(definition, each)))) ??
    checkEnvironment(definition) ??
    firstOf(Object.keys(definition.recipes).map((name) => checkRecipe(definition, parameters, name))) ??
    firstOf(planTools(definition).map((plan) => checkCallable(definition, plan)))
  );
}

function checkNames(definition: CliDefinition, parameters: readonly CliParameter[]): DefinitionProblem | undefined {
  const seen = new Set<string>();
  for (const each of parameters) {
    if (seen.has(each.name)) {
      const message = `two arguments are called ${JSON.stringify(each.name)}`;
      return {
        path: pathOf(definition, each),
        message,
        hint: "Give one of them another name; `long`, `short` or `flag` say how it is written.",
      };
    }
    seen.add(each.name);
    const written = ["short", "long", "flag"].filter((key) => each.option?.[key as "short"] !== undefined);
    if (written.includes("flag") && written.length > 1) {
      return {
        path: pathOf(definition, each),
        message: "`flag` can't stand beside `short` or `long`",
        hint: "Keep one of them.",
      };
    }
  }
  const hatch = definition.escapeHatch;
  if (hatch !== false && Object.hasOwn(definition.recipes, hatch)) {
    return {
      path: ["recipes", hatch],
      message: `the recipe ${JSON.stringify(hatch)} has the name of the escape hatch`,
      hint: "Rename the recipe, or set `escapeHatch` to another name or to false.",
    };
  }
  return undefined;
}

function checkVariadic({ schema }: CliDefinition): DefinitionProblem | undefined {
  const positional = schema.positional ?? [];
  const early = positional.findIndex(({ type }, at) => type === "array" && at < positional.length - 1);
  if (early >= 0) {
    return {
      path: ["schema", "positional", early, "type"],
      message: "only the last positional argument can be an array",
    };
  }
  const flag = positional.findIndex(({ type }) => type === "boolean");
  if (flag >= 0) {
    return {
      path: ["schema", "positional", flag, "type"],
      message: "a positional argument can't be boolean",
      allowed: ["string", "integer", "number", "array"],
    };
  }
  const gap = positional.findIndex(
    (spec, at) => at > 0 && (spec.required ?? spec.default === undefined) && positional[at - 1]?.required === false,
  );
  if (gap < 0) return undefined;
  return {
    path: ["schema", "positional", gap],
    message: "a required positional argument can't follow an optional one",
  };
}

function checkDefault(spec: CliParameter, path: PropertyKey[]): DefinitionProblem | undefined {
  return spec.default === undefined ? undefined : misfit(spec, spec.default, [...path, "default"]);
}

/** Says why a value written in a definition doesn't fit its argument. */
function misfit(spec: CliParameter, value: unknown, path: PropertyKey[]): DefinitionProblem | undefined {
  if (spec.type === "array") {
    if (!Array.isArray(value))
      return { path, message: `has to be a list, as ${JSON.stringify(spec.name)} is an array` };
    return firstOf(value.map((item, at) => misfit({ ...spec, type: spec.items }, item, [...path, at])));
  }
  const fits =
    spec.type === "integer" ? Number.isInteger(value) : typeof value === (spec.type === "bytes" ? "string" : spec.type);
  if (!fits)
    return {
      path,
      message: `has to be of type ${spec.type}, as ${JSON.stringify(spec.name)} is`,
      allowed: [spec.type],
    };
  if (spec.enum !== undefined && !spec.enum.includes(value as string)) {
    return {
      path,
      message: `has to be one of the values of ${JSON.stringify(spec.name)}`,
      allowed: spec.enum.map(String),
    };
  }
  if (typeof value === "number" && (value < (spec.minimum ?? value) || value > (spec.maximum ?? value))) {
    const bounds = [
      ...(spec.minimum === undefined ? [] : [`at least ${spec.minimum}`]),
      ...(spec.maximum === undefined ? [] : [`at most ${spec.maximum}`]),
    ];
    return { path, message: `has to be ${bounds.join(" and ")}, as ${JSON.stringify(spec.name)} is` };
  }
  if (typeof value === "string" && spec.pattern !== undefined && !new RegExp(spec.pattern, "u").test(value))
    return { path, message: `has to match the pattern of ${JSON.stringify(spec.name)}, ${spec.pattern}` };
  return undefined;
}

function checkEnvironment({ env = {} }: CliDefinition): DefinitionProblem | undefined {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const [key, text] = texts.find(([, value]) => /\$\{\w+\}|^\$\w+$/.test(value)) ?? [];
  if (key === undefined || text === undefined) return undefined;
  return {
    path: ["env", key],
    message: "variables are not expanded here",
    hint: `Write \`passEnv: [${/\w+/.exec(text)?.[0] ?? "NAME"}]\` to hand a variable of the host on to the program.`,
  };
}

function checkRecipe(
  definition: CliDefinition,
  parameters: readonly CliParameter[],
  name: string,
): DefinitionProblem | undefined {
  const { params = {}, preset = {} } = definition.recipes[name]!;
  const known = parameters.map((each) => each.name);
  for (const [section, entries] of [
    ["params", params],
    ["preset", preset],
  ] as const) {
    for (const key of Object.keys(entries)) {
      if (known.includes(key)) continue;
      return {
        path: ["recipes", name, section, key],
        message: `${JSON.stringify(key)} is no argument of the program`,
        nearest: nearestNames(key, known),
        allowed: known,
        hint: "Define it under `schema`, or mend the name.",
      };
    }
  }
  return firstOf(
    parameters.map((each) => {
      if (!Object.hasOwn(preset, each.name)) return undefined;
      return misfit(each, preset[each.name], ["recipes", name, "preset", each.name]);
    }),
  );
}

/** A recipe has to be callable, and its own defaults have to fit what it makes of an argument. */
function checkCallable({ recipes, schema }: CliDefinition, plan: CliToolPlan): DefinitionProblem | undefined {
  if (!Object.hasOwn(recipes, plan.name)) return undefined;
  const never = plan.parameters.find(({ open, required, default: value }) => !open && required && value === undefined);
  if (never !== undefined) {
    return {
      path: ["recipes", plan.name],
      message: `the recipe never gives ${JSON.stringify(never.name)}, which the program requires`,
      hint: `Add it to the recipe's \`params\` (\`${never.name}: {}\`) or \`preset\`.`,
    };
  }
  return firstOf(
    plan.parameters.map((each) => {
      const own = recipes[plan.name]?.params?.[each.name];
      const changed =
        own?.type !== undefined &&
        (own.type === "boolean") !== (each.option !== undefined && baseType(schema, each.name) === "boolean");
      const path = ["recipes", plan.name, "params", each.name];
      if (changed)
        return { path: [...path, "type"], message: "a recipe can't turn a flag into a value, nor a value into a flag" };
      // One that it inherits has to fit what the recipe narrows the argument to.
      if (own === undefined || each.default === undefined) return undefined;
      return misfit(each, each.default, own.default === undefined ? path : [...path, "default"]);
    }),
  );
}

function baseType(schema: CliDefinition["schema"], name: string): string {
  return schema.options?.[name]?.type ?? "string";
}

function pathOf({ schema }: CliDefinition, spec: CliParameter): PropertyKey[] {
  if (spec.place === "option") return ["schema", "options", spec.name];
  if (spec.place === "stdin") return ["schema", "stdin"];
  return ["schema", "positional", (schema.positional ?? []).findLastIndex(({ name }) => name === spec.name)];
}

function firstOf<T>(items: readonly (T | undefined)[]): T | undefined {
  return items.find((item) => item !== undefined);
}
