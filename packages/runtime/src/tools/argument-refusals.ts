import { ArtificerError, type Language, nearestNames } from "@artificer/protocol";
import type { ErrorObject } from "ajv";
import type { CheckedTool } from "./checked-tool.js";
import { describeProblem } from "./describe-problem.js";

type Arguments = Record<string, unknown>;

/** Whose call is refused, and in which language the caller is told how to call. */
export interface RefusedCall {
  tool: CheckedTool;
  language: Language;
}

/** Says why arguments don't fit: what is missing first, then the most telling misfit. */
export function explainRefusal(call: RefusedCall, args: Arguments, errors: readonly ErrorObject[]): ArtificerError {
  const { tool } = call;
  const missing = tool.schema.parameters
    .filter(({ name, required }) => required && (!Object.hasOwn(args, name) || args[name] === undefined))
    .map(({ name }) => name);
  if (missing.length > 0) return missingArguments(call, missing);
  const problem = describeProblem(errors, args);
  if (problem.unknown !== undefined) return unknownArgument(call, args, problem.unknown);
  const field = problem.path === "" ? "the arguments" : `the argument ${quote(problem.path)}`;
  const message = `${tool.path}: ${field} ${problem.expected}, but got ${problem.got}.`;
  return new ArtificerError("tool/invalid-argument", message, {
    details: {
      tool: tool.path,
      argument: problem.argument,
      path: problem.path,
      expected: problem.expected,
      got: problem.got,
      ...(problem.allowed === undefined ? {} : { allowed: problem.allowed }),
    },
    hint: callAs(call),
  });
}

/** Names the arguments that the tool doesn't have, the nearest it has, and all it has. */
export function unknownArgument(call: RefusedCall, args: Arguments, only?: string): ArtificerError {
  const { tool } = call;
  const allowed = tool.schema.parameters.map(({ name }) => name);
  const known = new Set(allowed);
  const unknown = only === undefined ? Object.keys(args).filter((name) => !known.has(name)) : [only];
  const nearest = nearestNames(
    unknown[0]!,
    allowed.filter((name) => !Object.hasOwn(args, name)),
  );
  const what = `${tool.path} has no argument ${unknown.map(quote).join(", ")}.`;
  const meant = nearest.length > 0 ? ` Did you mean ${nearest.map(quote).join(" or ")}?` : "";
  const list = allowed.length === 0 ? "It takes no arguments." : `It takes ${allowed.map(quote).join(", ")}.`;
  return new ArtificerError("tool/unknown-argument", `${what}${meant} ${list}`, {
    details: { tool: tool.path, argument: unknown[0]!, unknown, nearest, allowed },
    hint: callAs(call),
  });
}

/** For arguments that aren't an object of names. */
export function notAnObject(call: RefusedCall): ArtificerError {
  const message = `${call.tool.path}: arguments have to be given by name, as an object.`;
  return new ArtificerError("tool/invalid-argument", message, {
    details: { tool: call.tool.path },
    hint: callAs(call),
  });
}

function missingArguments(call: RefusedCall, missing: string[]): ArtificerError {
  const { tool } = call;
  const allowed = tool.schema.parameters.map(({ name }) => name);
  const noun = missing.length === 1 ? "argument" : "arguments";
  return new ArtificerError(
    "tool/missing-argument",
    `${tool.path} needs the ${noun} ${missing.map(quote).join(", ")}.`,
    {
      details: { tool: tool.path, argument: missing[0]!, missing, allowed },
      hint: callAs(call),
    },
  );
}

function callAs({ tool, language }: RefusedCall): string {
  return `Call it as ${tool.signature(language)}.`;
}

const quote = (name: string): string => JSON.stringify(name);
