import { ArtificerError } from "@artificer/protocol";
import type { HttpResponse } from "../http/http-client.js";
import type { HtmlReader } from "./html-reader.js";
import type { ReadablePage } from "./html-to-markdown.js";

/**
 * What a response shows, as Markdown or as the text that it is.
 *
 * @throws ArtificerError `tool/output-unparsable`, and what the reader throws.
 */
export async function pageText(response: HttpResponse, reader: HtmlReader, signal: AbortSignal): Promise<ReadablePage> {
  const header = response.headers.get("content-type") ?? "";
  const type = header.split(";")[0]!.trim().toLowerCase();
  const { body, url } = response;
  if (!isText(type, body)) {
    throw new ArtificerError("tool/output-unparsable", `it is ${type || "binary"}, which can't be read as text`, {
      details: { type, bytes: body.byteLength },
    });
  }
  const text = decode(body, header);
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type) || (type === "" && /^\s*<(!doctype html|html)/i.test(text)))
    return reader.read(text, url, signal);
  return { title: decodeURIComponentSafely(url.pathname.split("/").pop() ?? ""), markdown: text };
}

function isText(type: string, body: Uint8Array): boolean {
  if (body.subarray(0, 4096).includes(0)) return false;
  return type === "" || /^text\/|[/+](json|xml|yaml|x-yaml|javascript|ecmascript|toml|markdown|xhtml\+xml)$/.test(type);
}

/** By the charset that the header names, or else the page itself; UTF-8 where nobody says. */
function decode(body: Uint8Array, header: string): string {
  const start = Buffer.from(body.subarray(0, 2048)).toString("latin1");
  const named = /charset=["']?([\w-]+)/i.exec(header)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(body);
  } catch {
    return new TextDecoder("utf-8").decode(body);
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
