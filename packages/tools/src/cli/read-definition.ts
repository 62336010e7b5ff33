import { ArtificerError, nearestNames } from "@artificer/protocol";
import { type Document, isNode, isPair, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { checkDefinition, type DefinitionProblem } from "./check-definition.js";
import { type CliDefinition, cliDefinition, keysAt } from "./definition.js";

/** A place in a file, from 1. */
export interface Position {
  line: number;
  column: number;
}

type Locate = (path: readonly PropertyKey[]) => Position | undefined;

/**
 * Reads the YAML text of a definition.
 *
 * @throws ArtificerError `tool/definition-invalid` with `file`, `line`, `column`, `field`, and what is allowed there.
 */
export function readDefinition(text: string, source: string): CliDefinition {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line, col } = lines.linePos(broken.pos[0]);
    throw invalid(source, { path: [], message: `is not valid YAML: ${broken.message}` }, { line, column: col });
  }
  const locate: Locate = (path) => positionOf(document, lines, path);
  return checkedDefinition(toData(document, source), source, locate);
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

function toData(document: Document, source: string): unknown {
  try {
    // The bound stops aliases of aliases from growing without end.
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw invalid(source, {
      path: [],
      message: `can't be read: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
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

/** Where the key at a path stands, or the nearest place above it that exists. */
function positionOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): Position | undefined {
  for (let length = path.length; length >= 0; length--) {
    const offset = offsetOf(document, path.slice(0, length));
    if (offset === undefined) continue;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }
  return undefined;
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  if (path.length === 0) return isNode(document.contents) ? document.contents.range?.[0] : undefined;
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const step = path.at(-1);
  if (typeof parent !== "object" || parent === null || !("items" in parent) || !Array.isArray(parent.items))
    return undefined;
  const item: unknown =
    typeof step === "number"
      ? parent.items[step]
      : parent.items.find((pair) => isPair(pair) && keyText(pair.key) === step);
  const node: unknown = isPair(item) ? item.key : item;
  return isNode(node) ? node.range?.[0] : undefined;
}

function keyText(key: unknown): unknown {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : key;
}
