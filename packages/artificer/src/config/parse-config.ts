import { ArtificerError, nearestName, schemaKeys } from "@artificer/protocol";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type Config, configSchema } from "./config-schema.js";

/**
 * Checks a configuration whole.
 *
 * @param file what the messages call it.
 * @throws ArtificerError `config/unreadable` (no YAML), `config/unknown-key` (with the nearest known one), `config/invalid`;
 *   `details` has file, line and key.
 */
export function parseConfig(text: string, file: string): Config {
  return configSchema.parse(parseConfigLayer(text, file));
}

/**
 * As `parseConfig`, but only what the text itself sets, for laying one file over another.
 *
 * @throws ArtificerError as `parseConfig` does
 */
export function parseConfigLayer(text: string, file: string): Record<string, unknown> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const line = broken.linePos?.[0].line;
    throw new ArtificerError(
      "config/unreadable",
      `${file}${line === undefined ? "" : `, line ${line}`}: this is no YAML: ${broken.message.split("\n")[0]}`,
      {
        details: { file, line },
        cause: broken,
      },
    );
  }
  const layer = (document.toJS() ?? {}) as Record<string, unknown>;
  const parsed = configSchema.safeParse(layer);
  if (parsed.success) return layer;
  const issue = parsed.error.issues[0]!;
  const lineOf = (path: readonly PropertyKey[]) => {
    const node =
      path.length === 0
        ? undefined
        : (document.getIn(path as unknown[], true) as { range?: [number, number, number] } | undefined);
    return node?.range === undefined ? undefined : lines.linePos(node.range[0]).line;
  };
  throw issue.code === "unrecognized_keys" ? unknownKey(issue, file, lineOf) : invalid(issue, file, lineOf);
}

type Issue = z.core.$ZodIssue;
type LineOf = (path: readonly PropertyKey[]) => number | undefined;

function unknownKey(
  issue: Extract<Issue, { code: "unrecognized_keys" }>,
  file: string,
  lineOf: LineOf,
): ArtificerError {
  const [key = ""] = issue.keys;
  const path = [...issue.path, key];
  const known = schemaKeys(configSchema, issue.path);
  const nearest = nearestName(key, known);
  const line = lineOf(path);
  return new ArtificerError(
    "config/unknown-key",
    `${file}${line === undefined ? "" : `, line ${line}`}: there is no key ${path.join(".")}.`,
    {
      details: { file, line, key: path.join("."), known },
      hint: `${nearest === undefined ? "" : `Did you mean ${nearest}? `}Known here: ${known.join(", ")}.`,
    },
  );
}

function invalid(issue: Issue, file: string, lineOf: LineOf): ArtificerError {
  const key = issue.path.join(".");
  const line = lineOf(issue.path);
  return new ArtificerError(
    "config/invalid",
    `${file}${line === undefined ? "" : `, line ${line}`}: ${key}: ${issue.message}.`,
    {
      details: { file, line, key },
      hint: "Correct the value, or delete the line to use the default.",
    },
  );
}
