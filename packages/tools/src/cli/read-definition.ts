import { ArtificerError, nearestNames } from "@artificer/protocol";
import type { z } from "zod";
import { type Position, readYaml } from "../yaml/read-yaml.js";
import { checkDefinition, type DefinitionProblem } from "./check-definition.js";
import { type CliDefinition, cliDefinition, keysAt } from "./definition.js";

type Locate = (path: readonly PropertyKey[]) => Position | undefined;

/**
 * Reads the YAML text of a definition.
 *
 * @throws ArtificerError `tool/definition-invalid` with `file`, `line`, `column`, `field`, and what is allowed there.
 */
export function readDefinition(text: string, source: string): CliDefinition {
  const { data, positionOf } = readYaml(text, source);
  return checkedDefinition(data, source, positionOf);
}

/**
 * Checks a definition given as data.
 *
 * @throws ArtificerError `tool/definition-invalid`
 */
export function checkedDefinition(input: unknown, source: string, locate: Locate = () => undefined): CliDefinition {
  const fail = (problem: DefinitionProblem) => invalid(source, problem, locate(problem.path));
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw fail({ path: [], message: "has to be a mapping with `name`, `command`, `schema` and `recipes`" });
  }
  const { type } = input as { type?: unknown };
  if (type !== undefined && type !== "cli") {
    throw fail({ path: ["type"], message: "is no kind of tool that is known here", allowed: ["cli"] });
  }
  const parsed = cliDefinition.safeParse(input);
  if (!parsed.success) throw fail(issueProblem(parsed.error.issues[0]!));
  const problem = checkDefinition(parsed.data);
  if (problem !== undefined) throw fail(problem);
  return parsed.data;
}

function issueProblem(issue: z.core.$ZodIssue): DefinitionProblem {
  const path = [...issue.path];
  switch (issue.code) {
    case "unrecognized_keys": {
      const [key = ""] = issue.keys;
      const allowed = keysAt(path);
      return { path: [...path, key], message: "is an unknown key", nearest: nearestNames(key, allowed), allowed };
    }
    case "invalid_value":
      return { path, message: "has a value that is not allowed", allowed: issue.values.map(String) };
    case "invalid_type":
      return issue.input === undefined && issue.message.includes("undefined")
        ? { path, message: "is missing" }
        : { path, message: `has to be of type ${issue.expected}`, allowed: [issue.expected] };
    case "invalid_union":
      return { path, message: "has a value of a type that is not allowed there" };
    case "invalid_key":
      return { path, message: issue.issues[0]?.message ?? "is no valid name" };
    default:
      return { path, message: issue.message };
  }
}

function invalid(source: string, problem: DefinitionProblem, position?: Position): ArtificerError {
  const field = fieldText(problem.path);
  const where = position === undefined ? source : `${source}:${position.line}:${position.column}`;
  const subject = field === "" ? "the definition" : `\`${field}\``;
  const { nearest = [], allowed } = problem;
  const meant = nearest.length > 0 ? ` Did you mean ${nearest.map((each) => `\`${each}\``).join(" or ")}?` : "";
  const list = allowed === undefined || allowed.length === 0 ? "" : ` Allowed: ${allowed.join(", ")}.`;
  return new ArtificerError("tool/definition-invalid", `${where}: ${subject}: ${problem.message}.${meant}${list}`, {
    details: {
      file: source,
      field,
      ...position,
      ...(nearest.length > 0 ? { nearest } : {}),
      ...(allowed ? { allowed } : {}),
    },
    hint: problem.hint ?? "Mend the file and start again; docs/command-line-tools.md shows every key.",
  });
}

function fieldText(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? String(step) : `.${String(step)}`))
    .join("");
}
