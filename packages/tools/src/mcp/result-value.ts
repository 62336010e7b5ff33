import { ArtificerError, type Value } from "@artificer/protocol";
import type { CallToolResult, ContentBlock, ReadResourceResult, ResourceContents } from "@modelcontextprotocol/client";
import { jsonToValue } from "../remote/json-to-value.js";

/**
 * What a tool answered, as a value: structured content when there is any, else the one thing that came, else the list of all.
 * Text is a string; pictures and sounds are `{mimeType, data}` with bytes; resources bear their `uri`.
 * Structured content that came with pictures, sounds or resources is given as `{structured, content}`, so that nothing is lost.
 *
 * @throws ArtificerError `tool/failed` with the tool's own text when it says that it failed.
 */
export function resultValue(result: CallToolResult, toolkit: string, tool: string): Value {
  const content = result.content ?? [];
  if (result.isError === true) {
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    throw new ArtificerError("tool/failed", text === "" ? `${toolkit}.${tool} failed and did not say why.` : text, {
      details: { toolkit, tool },
    });
  }
  if (result.structuredContent !== undefined) {
    const structured = jsonToValue(result.structuredContent);
    return content.every(({ type }) => type === "text") ? structured : { structured, content: content.map(blockValue) };
  }
  return oneOrAll(content.map(blockValue));
}

/** What a resource holds: the text of a text, `{uri, mimeType, data}` for bytes, a list when it has several parts. */
export function resourceValue(result: ReadResourceResult): Value {
  const [only, ...more] = result.contents;
  if (only !== undefined && more.length === 0 && "text" in only) return String(only.text);
  return oneOrAll(result.contents.map(contentsValue));
}

/** One piece of content of a tool's answer or of a prompt's message. */
export function blockValue(block: ContentBlock): Value {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return { mimeType: block.mimeType, data: bytes(block.data) };
    case "resource":
      return contentsValue(block.resource);
    case "resource_link": {
      const { uri, name, title, description, mimeType } = block;
      return present({ uri, name, title, description, mimeType });
    }
    default:
      return jsonToValue(block);
  }
}

function oneOrAll(values: Value[]): Value {
  if (values.length === 0) return null;
  return values.length === 1 ? values[0]! : values;
}

function contentsValue(contents: ResourceContents): Value {
  const { uri, mimeType } = contents;
  if ("blob" in contents) return present({ uri, mimeType, data: bytes(String(contents.blob)) });
  return present({ uri, mimeType, text: "text" in contents ? String(contents.text) : undefined });
}

function present(fields: Record<string, Value | undefined>): Value {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

function bytes(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
