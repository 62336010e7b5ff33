import { ArtificerError, type Language, nearestNames } from "@artificer/protocol";
import { isMap, isScalar, LineCounter, parseDocument, stringify, type YAMLMap } from "yaml";
import type { SplitSource } from "./split-front-matter.js";

/** What a skill's file says of itself. Everything may be left out. */
export interface FrontMatter {
  name?: string;
  description?: string;
  version?: number;
  tags?: string[];
  language?: Language;
  requiredEnvironmentVariables?: string[];
  deps?: string[];
  tools?: string[];
}

interface Field {
  key: keyof FrontMatter;
  allowed: string;
  accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => isText(item) && item.trim() !== "");
const isVariable = (name: unknown) => isText(name) && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

const fields: Record<string, Field> = {
  name: { key: "name", allowed: "a text", accepts: isText },
  description: { key: "description", allowed: "a text", accepts: isText },
  version: {
    key: "version",
    allowed: "a whole number of 1 or more",
    accepts: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  },
  tags: { key: "tags", allowed: "a list of texts, e.g. [legal, npm]", accepts: isTexts },
  language: {
    key: "language",
    allowed: "python or typescript",
    accepts: (value) => value === "python" || value === "typescript",
  },
  required_environment_variables: {
    key: "requiredEnvironmentVariables",
    allowed: "a list of variables' names, e.g. [GITHUB_TOKEN]",
    accepts: (value) => Array.isArray(value) && value.every(isVariable),
  },
  deps: { key: "deps", allowed: "a list of packages, e.g. [requests]", accepts: isTexts },
  tools: { key: "tools", allowed: "a list of tools, e.g. [curl.get]", accepts: isTexts },
};

/**
 * Reads front matter strictly.
 *
 * @throws ArtificerError `skill/invalid-front-matter` naming the field, its line, and what is allowed there.
 */
export function readFrontMatter({ yaml, yamlLine, commented }: SplitSource): FrontMatter {
  if (yaml === undefined) return {};
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false });
  const lineAt = (offset: number | undefined) => yamlLine - 1 + counter.linePos(offset ?? 0).line;
  const map = isMap(document.contents) ? document.contents : undefined;
  const ours = (map?.items ?? []).some(({ key }) => isScalar(key) && resemblesField(String(key.value)));
  // A divider between comments looks the same; what names none of our fields is one.
  if (commented && !ours && !/^(?:name|description)\s*:/m.test(yaml)) return {};
  const error = document.errors[0];
  if (error !== undefined)
    throw invalid(`Line ${lineAt(error.pos[0])} of the front matter is no YAML: ${error.message}`, {
      line: lineAt(error.pos[0]),
    });
  if (map === undefined) {
    if (document.contents === null || yaml.trim() === "") return {};
    throw invalid(
      "The front matter is no list of fields.",
      { line: yamlLine },
      "Write one field a line, e.g. description: What it does.",
    );
  }
  return readFields(map, lineAt);
}

function readFields(map: YAMLMap, lineAt: (offset: number | undefined) => number): FrontMatter {
  const result: Record<string, unknown> = {};
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : "?";
    const line = lineAt(isScalar(key) ? key.range?.[0] : undefined);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw unknownField(name, line);
    const content: unknown = (value as { toJSON?: () => unknown } | null)?.toJSON?.() ?? null;
    if (content === null) continue;
    if (!field.accepts(content))
      throw invalid(`${name} on line ${line} of the skill must be ${field.allowed}.`, { field: name, line });
    result[field.key] = content;
  }
  return result as FrontMatter;
}

/** The front matter as a comment block for the top of a file; fields without content are left out. */
export function renderFrontMatter(matter: FrontMatter, language: Language): string {
  const shown: Record<string, unknown> = {};
  for (const [name, { key }] of Object.entries(fields)) {
    const value = matter[key];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) shown[name] = value;
  }
  const mark = language === "python" ? "#" : "//";
  const lines = stringify(shown, { lineWidth: 0, flowCollectionPadding: false }).trimEnd().split("\n");
  return ["---", ...lines, "---"].map((line) => `${mark} ${line}`.trimEnd()).join("\n");
}

function resemblesField(name: string): boolean {
  return Object.hasOwn(fields, name) || nearestNames(name, Object.keys(fields)).length > 0;
}

function unknownField(name: string, line: number): ArtificerError {
  const nearest = nearestNames(name, Object.keys(fields))[0];
  const message = `The front matter has an unknown field ${JSON.stringify(name)} on line ${line}.`;
  const hint = nearest === undefined ? `Fields are: ${Object.keys(fields).join(", ")}.` : `Did you mean ${nearest}?`;
  return invalid(message, { field: name, line, allowed: Object.keys(fields) }, hint);
}

function invalid(
  message: string,
  details: { line: number; field?: string; allowed?: string[] },
  hint?: string,
): ArtificerError {
  return new ArtificerError("skill/invalid-front-matter", message, { details, hint });
}
