import { ArtificerError } from "@artificer/protocol";
import type { z } from "zod";
import { readYaml } from "../yaml/read-yaml.js";

const maxProblems = 5;

/**
 * Reads a definition written as YAML (or JSON, which YAML includes) and checks it whole.
 *
 * @param source where the text is from, for messages: a file's path
 * @throws ArtificerError `tool/definition-invalid`, naming source, line and field, and what is allowed.
 */
export function readDefinition<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  source: string,
): z.output<Schema> {
  const { data, positionOf } = readYaml(text, source);
  const lineOf = (path: readonly PropertyKey[]) => positionOf(path)?.line ?? 1;
  return checkDefinition(schema, data, source, lineOf);
}

/**
 * Checks a definition given as an object.
 *
 * @throws ArtificerError `tool/definition-invalid`
 */
export function checkDefinition<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  source: string,
  lineOf?: (path: readonly PropertyKey[]) => number,
): z.output<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw invalid(
    source,
    result.error.issues
      .flatMap((issue) => telling(issue))
      .slice(0, maxProblems)
      .map((issue) => ({
        line: lineOf?.(issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path),
        text: `${issue.path.length === 0 ? "" : `${issue.path.join(".")}: `}${issue.message}${allowed(issue, schema)}`,
      })),
  );
}

type Issue = z.core.$ZodIssue;

/** Of a choice that nothing fits, what is wrong by the alternative that was most likely meant: "invalid input" helps nobody. */
function telling(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const meant = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0),
  );
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => telling({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The fields there are, where an unknown one was given at the top. */
function allowed(issue: Issue, schema: z.ZodType): string {
  if (issue.code !== "unrecognized_keys" || issue.path.length > 0 || !("shape" in schema)) return "";
  return `; the fields are ${Object.keys(schema.shape as object).join(", ")}`;
}

function invalid(source: string, problems: { line?: number; text: string }[]): ArtificerError {
  const told = problems.map(({ line, text }) => (line === undefined ? text : `line ${line}: ${text}`));
  return new ArtificerError("tool/definition-invalid", `${source}: ${told.join("; ")}`, {
    details: { source, line: problems[0]?.line, problems: told },
    hint: "See docs/tools-mcp.md and docs/tools-http.md for every field.",
  });
}
