import type { EffectClass, JsonSchema } from "@artificer/protocol";
import type { CliDefinition, CliOption, CliOutput, CliRecipe } from "./definition.js";

/** What an argument may hold once it is known to be well-typed. */
export type CliValue = string | number | boolean | (string | number)[];

/** One argument of a program, wherever it goes on the command line. */
export interface CliParameter {
  name: string;
  place: "option" | "positional" | "stdin";
  type: "string" | "integer" | "number" | "boolean" | "array" | "bytes";
  items: "string" | "integer" | "number";
  description: string;
  required: boolean;
  default: CliValue | undefined;
  enum: (string | number)[] | undefined;
  pattern: string | undefined;
  minimum: number | undefined;
  maximum: number | undefined;
  /** How an option is written. */
  option: CliOption | undefined;
  /** False for what a recipe has fixed: callers can't give it. */
  open: boolean;
}

/** One tool of a program: a recipe, or the escape hatch with every argument open. */
export interface CliToolPlan {
  name: string;
  description: string;
  /** Words between the program and its options: a subcommand. */
  args: string[];
  /** Options in the order of the schema, then positional arguments in theirs, then stdin. */
  parameters: CliParameter[];
  output: CliOutput;
  timeoutMs: number;
  effect: EffectClass;
  successExitCodes: number[];
}

/** The tools that a definition makes: its recipes, and the escape hatch unless it is off. */
export function planTools(definition: CliDefinition): CliToolPlan[] {
  const schema = schemaParameters(definition);
  const plans = Object.entries(definition.recipes).map(([name, recipe]) =>
    planRecipe(definition, schema, name, recipe),
  );
  if (definition.escapeHatch !== false) {
    plans.push({
      ...shared(definition, {}),
      name: definition.escapeHatch,
      description: `${definition.description === "" ? "" : `${definition.description.trim()} `}Takes every argument that the program is defined with.`,
      args: [],
      parameters: schema,
    });
  }
  return plans;
}

/** The arguments of the program itself. */
export function schemaParameters({ schema }: CliDefinition): CliParameter[] {
  const options = Object.entries(schema.options ?? {}).map(([name, option]) =>
    parameter({ ...option, name }, "option", option),
  );
  const positional = (schema.positional ?? []).map((spec) =>
    parameter({ ...spec, required: spec.required ?? spec.default === undefined }, "positional", undefined),
  );
  const stdin = schema.stdin === undefined ? [] : [parameter(schema.stdin, "stdin", undefined)];
  return [...options, ...positional, ...stdin];
}

interface Spec {
  name: string;
  type?: CliParameter["type"] | undefined;
  description?: string | undefined;
  required?: boolean | undefined;
  default?: CliValue | undefined;
  items?: CliParameter["items"] | undefined;
  enum?: (string | number)[] | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

function parameter(spec: Spec, place: CliParameter["place"], option: CliOption | undefined): CliParameter {
  return {
    name: spec.name,
    place,
    type: spec.type ?? "string",
    items: spec.items ?? "string",
    description: spec.description ?? "",
    required: spec.required ?? false,
    default: spec.default,
    enum: spec.enum,
    pattern: spec.pattern,
    minimum: spec.minimum,
    maximum: spec.maximum,
    option,
    open: true,
  };
}

function planRecipe(
  definition: CliDefinition,
  schema: readonly CliParameter[],
  name: string,
  recipe: CliRecipe,
): CliToolPlan {
  const preset = recipe.preset ?? {};
  const params = recipe.params ?? {};
  // Without params of its own a recipe takes all that the program takes.
  const all = Object.keys(params).length === 0;
  const parameters = schema.map((base): CliParameter => {
    const own = Object.hasOwn(params, base.name) ? params[base.name] : undefined;
    const fixed = Object.hasOwn(preset, base.name) ? preset[base.name] : undefined;
    const value = own?.default ?? fixed ?? base.default;
    return {
      ...base,
      ...(own === undefined ? {} : defined(own)),
      default: value,
      required: own?.required ?? (base.required && value === undefined),
      open: all || own !== undefined,
    };
  });
  return {
    ...shared(definition, recipe),
    name,
    description: recipe.description ?? definition.description,
    args: recipe.args ?? [],
    parameters,
  };
}

function shared(definition: CliDefinition, recipe: CliRecipe) {
  return {
    output: recipe.output ?? definition.output,
    timeoutMs: Math.round((recipe.timeout ?? definition.timeout) * 1000),
    effect: recipe.effect ?? definition.effect,
    successExitCodes: recipe.successExitCodes ?? definition.successExitCodes,
  };
}

function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The JSON Schema of a tool's arguments: positional ones first, as they are called. */
export function inputSchema(plan: CliToolPlan): JsonSchema {
  const order = { positional: 0, option: 1, stdin: 2 };
  const open = plan.parameters.filter((each) => each.open).sort((a, b) => order[a.place] - order[b.place]);
  return {
    type: "object",
    properties: Object.fromEntries(open.map((each) => [each.name, parameterSchema(each)])),
    required: open.filter((each) => each.required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function parameterSchema(spec: CliParameter): JsonSchema {
  const single = {
    ...(spec.enum === undefined ? {} : { enum: spec.enum }),
    ...(spec.pattern === undefined ? {} : { pattern: spec.pattern }),
    ...(spec.minimum === undefined ? {} : { minimum: spec.minimum }),
    ...(spec.maximum === undefined ? {} : { maximum: spec.maximum }),
  };
  return {
    ...(spec.type === "array"
      ? { type: "array", items: { type: spec.items, ...single } }
      : // JSON has no bytes; a value of this format may be text or bytes.
        spec.type === "bytes"
        ? { format: "binary" }
        : { type: spec.type, ...single }),
    ...(spec.description === "" ? {} : { description: spec.description }),
    ...(spec.default === undefined ? {} : { default: spec.default }),
  };
}

/** The JSON Schema of a tool's result. */
export function outputSchema(output: CliOutput): JsonSchema | undefined {
  switch (output) {
    case "text":
      return { type: "string" };
    case "lines":
      return { type: "array", items: { type: "string" } };
    case "csv":
      return { type: "array", items: { type: "object", additionalProperties: { type: "string" } } };
    case "jsonl":
      return { type: "array", items: {} };
    case "bytes":
      return { type: "string", format: "binary" };
    case "json":
      return undefined;
  }
}
