import type {
  Bindings,
  JsonSchema,
  Language,
  ParameterBinding,
  ToolBinding,
  ToolDefinition,
  Toolkit,
  ToolkitBinding,
} from "@artificer/protocol";
import { toIdentifier, toPublicIdentifier } from "./identifier.js";
import { pythonNotation } from "./python-notation.js";
import { readParameters, type SchemaParameter } from "./read-parameters.js";
import { reservedNames } from "./reserved-names.js";
import { schemaCursor } from "./resolve-schema.js";
import { schemaType, type TypeNotation } from "./schema-type.js";
import { typescriptNotation } from "./typescript-notation.js";
import { uniqueIdentifiers } from "./unique-identifiers.js";

const notations: Record<Language, TypeNotation> = { python: pythonNotation, typescript: typescriptNotation };

/** The table of names, types and help that one language sees. Same toolkits in, same table out. */
export function createBindings(toolkits: readonly Toolkit[], language: Language): Bindings {
  const { keywords, globals, members, toolsMembers } = reservedNames[language];
  const toolkitIdentifiers = uniqueIdentifiers(
    toolkits.map(({ name }) => name),
    { wish: toolkitWish, reserved: [keywords, members, toolsMembers] },
  );
  const toolIdentifiers = toolkits.map(({ tools }) =>
    uniqueIdentifiers(
      tools.map(({ name }) => name),
      { wish: toPublicIdentifier, reserved: [keywords, members] },
    ),
  );
  const flat = flatNames(toolkitIdentifiers, toolIdentifiers, [keywords, globals]);
  const bound = toolkits.map((toolkit, at): ToolkitBinding => {
    const identifier = toolkitIdentifiers[at]!;
    const directAt = toolkit.tools.findIndex(({ name }) => name === toolkit.directTool);
    return {
      name: toolkit.name,
      identifier,
      ...(globals.has(identifier) ? {} : { global: identifier }),
      description: toolkit.description,
      ...(directAt < 0 ? {} : { direct: toolIdentifiers[at]![directAt] }),
      tools: toolkit.tools.map((tool, index) =>
        bindTool(tool, { identifier: toolIdentifiers[at]![index]!, flat: flat[at]![index]!, language }),
      ),
    };
  });
  return { toolkits: bound };
}

/** `web_tools` is called `web`; a toolkit called just `tools` keeps its name. */
function toolkitWish(name: string): string {
  const identifier = toPublicIdentifier(name);
  return identifier.replace(/(?<=[^_])_tools$/i, "");
}

/** A tool's own name where only one toolkit has it, `toolkit_tool` where several do: a new toolkit never takes a name over. */
function flatNames(
  toolkits: readonly string[],
  tools: readonly (readonly string[])[],
  reserved: ReadonlySet<string>[],
): string[][] {
  const uses = new Map<string, number>();
  for (const name of tools.flat()) uses.set(name, (uses.get(name) ?? 0) + 1);
  const wishes = tools.map((names, at) =>
    names.map((name) => (uses.get(name)! > 1 ? `${toolkits[at]}_${name}` : name)),
  );
  const unique = uniqueIdentifiers(wishes.flat(), { wish: (name) => name, reserved });
  return wishes.map((names) => unique.splice(0, names.length));
}

function bindTool(tool: ToolDefinition, names: { identifier: string; flat: string; language: Language }): ToolBinding {
  const { language, identifier, flat } = names;
  const { parameters, open } = readParameters(tool.inputSchema);
  // Python refuses a parameter without default behind one that has it.
  const ordered = [...parameters.filter(({ required }) => required), ...parameters.filter(({ required }) => !required)];
  const { keywords } = reservedNames[language];
  const identifiers = uniqueIdentifiers(
    ordered.map(({ name }) => name),
    // In TypeScript arguments are members of an object, whose names may be anything.
    { wish: language === "python" ? toIdentifier : (name) => name, reserved: language === "python" ? [keywords] : [] },
  );
  return {
    name: tool.name,
    identifier,
    flat,
    description: tool.description,
    parameters: ordered.map((parameter, at) => bindParameter(parameter, identifiers[at]!, language)),
    returns: returnType(tool.outputSchema, language),
    open,
  };
}

function bindParameter(parameter: SchemaParameter, identifier: string, language: Language): ParameterBinding {
  const { name, required, hasDefault, cursor } = parameter;
  const type = schemaType(cursor, notations[language]);
  const optional = language === "python" && !required && !hasDefault;
  return {
    name,
    identifier,
    required,
    // An argument left out is None in a Python signature, so its type has to admit it.
    type: optional && type !== "Any" && !/(^|\| )None$/.test(type) ? `${type} | None` : type,
    ...(hasDefault ? { default: parameter.default } : {}),
    description: describe(parameter, language),
  };
}

/** Python has no anonymous record types, so that a nested object's members are told in words. */
function describe({ description, cursor }: SchemaParameter, language: Language): string {
  if (language !== "python") return description;
  const shape = schemaType(cursor, typescriptNotation);
  return shape.includes("{") ? `${description}${description === "" ? "" : " "}Shape: ${shape}` : description;
}

function returnType(schema: JsonSchema | undefined, language: Language): string {
  const notation = notations[language];
  return schema === undefined ? notation.any : schemaType(schemaCursor(schema), notation);
}
