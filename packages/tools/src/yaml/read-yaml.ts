import { ArtificerError } from "@artificer/protocol";
import { type Document, isNode, isPair, LineCounter, parseDocument } from "yaml";
import { nestsDeeperThan } from "./nests-deeper-than.js";

/** A place in a file, from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A definition's text as data that knows its places. */
export interface YamlText {
  data: unknown;
  /** Where the key at a path stands, or the nearest place above it that exists. */
  positionOf(path: readonly PropertyKey[]): Position | undefined;
}

/** The bound stops aliases of aliases from growing without end. */
const maxAliasCount = 50;
const maxDepth = 100;

/**
 * Reads the YAML (or JSON, which YAML includes) of a definition.
 *
 * @param source where the text is from, for messages: a file's path
 * @throws ArtificerError `tool/definition-invalid` with `file`, `line` and `column`
 */
export function readYaml(text: string, source: string): YamlText {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  let document: Document;
  let data: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [broken] = document.errors;
    if (broken !== undefined) throw unreadable(source, `is not valid YAML: ${broken.message}`, at(broken.pos[0]));
    data = document.toJS({ maxAliasCount });
  } catch (error) {
    if (ArtificerError.is(error)) throw error;
    throw unreadable(source, `can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (nestsDeeperThan(data, maxDepth)) throw unreadable(source, `is nested more than ${maxDepth} levels deep`);
  return {
    data,
    positionOf(path) {
      for (let length = path.length; length >= 0; length--) {
        const offset = offsetOf(document, path.slice(0, length));
        if (offset !== undefined) return at(offset);
      }
      return undefined;
    },
  };
}

function unreadable(source: string, message: string, position?: Position): ArtificerError {
  const where = position === undefined ? source : `${source}:${position.line}:${position.column}`;
  return new ArtificerError("tool/definition-invalid", `${where}: the definition: ${message}.`, {
    details: { file: source, source, field: "", ...position },
    hint: "Mend the file and start again; docs/tools.md says what kinds of definitions there are.",
  });
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
