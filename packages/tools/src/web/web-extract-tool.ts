import { ArtificerError, toArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import { createExpiringCache } from "./expiring-cache.js";
import type { HtmlReader } from "./html-reader.js";
import type { ReadablePage } from "./html-to-markdown.js";
import { pageText } from "./page-text.js";
import type { WebClient } from "./web-client.js";

const defaultChars = 15_000;
const cachedChars = 20_000_000;

const output = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      content: z.string(),
      total_chars: z.int(),
      truncated: z.boolean(),
      error: z.string().optional(),
    }),
  ),
});

/** `web_extract`: pages as Markdown. A page that can't be had is told in its place. */
export function webExtractTool(client: WebClient, reader: HtmlReader, cacheMs: number) {
  const cache = createExpiringCache<ReadablePage>({
    lifeMs: cacheMs,
    maxSize: cachedChars,
    sizeOf: ({ markdown }) => markdown.length,
  });
  const read = async (url: URL, signal: AbortSignal): Promise<ReadablePage> => {
    const known = cache.get(url.href);
    if (known !== undefined) return known;
    const accept = "text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.8,*/*;q=0.5";
    const request = { method: "GET", url, headers: { accept }, body: undefined };
    const response = await client.send(request, { signal, retry: true });
    if (response.status >= 400)
      throw new ArtificerError("tool/http-status", `it answered ${response.status} ${response.statusText}`.trim());
    const page = await pageText(response, reader, signal);
    cache.set(url.href, page);
    return page;
  };
  return defineTool({
    description:
      "Reads web pages: the article of each as Markdown, text as it is. Gives results in the order of urls, each with url, title and content, and error when a page can't be had.",
    input: z.object({
      urls: z.array(z.string()).min(1).max(50).describe("Addresses beginning with http:// or https://"),
      char_limit: z
        .int()
        .positive()
        .max(5_000_000)
        .default(defaultChars)
        .describe("Characters of each page; the middle is cut"),
    }),
    output,
    effect: "egress",
    tags: ["web", "internet", "page", "markdown"],
    run: async ({ urls, char_limit: limit }, { signal }) => ({
      results: await Promise.all(
        urls.map(async (address) => {
          try {
            const { title, markdown } = await read(parseAddress(address), signal);
            return {
              url: address,
              title,
              content: cut(markdown, limit),
              total_chars: markdown.length,
              truncated: markdown.length > limit,
            };
          } catch (thrown) {
            if (signal.aborted) throw thrown;
            const { message, hint } = toArtificerError(thrown, "tool/failed");
            const error = hint === undefined ? message : `${message} ${hint}`;
            return { url: address, title: "", content: "", total_chars: 0, truncated: false, error };
          }
        }),
      ),
    }),
  });
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") {
    url.hash = "";
    return url;
  }
  throw new ArtificerError("tool/invalid-argument", `${JSON.stringify(address)} is no address of a web page.`, {
    details: { argument: "urls" },
    hint: "Begin it with https://.",
  });
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = wholeCharacters(text, Math.ceil(limit * 0.75));
  const tail = wholeCharacters(text, text.length - (limit - Math.ceil(limit * 0.75)));
  const note = `\n\n[… ${tail - head} of ${text.length} characters left out; a higher char_limit gives more …]\n\n`;
  return text.slice(0, head) + note + text.slice(tail);
}

/** Where to cut so that no character is cut in two: half of one can be neither printed nor stored. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
