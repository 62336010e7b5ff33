import type { Language } from "@artificer/protocol";
import type { ValidateFunction } from "ajv";
import { explainRefusal, notAnObject, unknownArgument } from "./argument-refusals.js";
import type { CheckedTool } from "./checked-tool.js";
import { compileSchema } from "./compile-schema.js";

type Arguments = Record<string, unknown>;

/**
 * Checks the arguments of one tool and returns those to pass on: the same object, unless optional arguments given as null
 * (as a signature with `= None` invites) had to be left out. Nothing is converted. `language` is that of the caller.
 *
 * @throws ArtificerError `tool/unknown-argument`, `tool/missing-argument`, `tool/invalid-argument`, `tool/definition-invalid`
 */
export type ArgumentCheck = (args: Arguments, language?: Language) => Arguments;

/** A check for one tool. Its schema is compiled when it is first needed, then kept. */
export function createArgumentCheck(tool: CheckedTool): ArgumentCheck {
  const { parameters, open } = tool.schema;
  const known = new Set(parameters.map(({ name }) => name));
  let validate: ValidateFunction | undefined;
  return (args, language = "python") => {
    if (!isArguments(args)) throw notAnObject({ tool, language });
    if (!open) {
      for (const name of Object.keys(args)) if (!known.has(name)) throw unknownArgument({ tool, language }, args);
    }
    validate ??= compileSchema(tool.definition.inputSchema, tool.path);
    if (validate(args)) return args;
    const without = withoutNulls(tool, args);
    if (without !== undefined && validate(without)) return without;
    throw explainRefusal({ tool, language }, without ?? args, validate.errors ?? []);
  };
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === "object" && args !== null && !Array.isArray(args) && !(args instanceof Map);
}

/** Undefined when there is no optional argument that is null. */
function withoutNulls(tool: CheckedTool, args: Arguments): Arguments | undefined {
  const nulls = tool.schema.parameters.filter(
    ({ name, required }) => !required && Object.hasOwn(args, name) && args[name] === null,
  );
  if (nulls.length === 0) return undefined;
  const dropped = new Set(nulls.map(({ name }) => name));
  return Object.fromEntries(Object.entries(args).filter(([name]) => !dropped.has(name)));
}
