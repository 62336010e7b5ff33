import { ArtificerError, type ToolDefinition, type Value } from "@artificer/protocol";
import type { HttpResponse } from "./http-client.js";
import type { Pagination } from "./http-definition.js";

/** How many pages are asked for when the call does not say. */
export const defaultMaxPages = 10;
const mostPages = 1_000;

/** One page: the answer, and its body as a value. */
export interface PageAnswer {
  response: HttpResponse;
  body: Value;
}

/** How the next page is asked for: by other arguments, or by an address that the server gave. */
export type PageRequest = { args: Record<string, unknown> } | { url: URL };

/** The sister of a tool that walks its list. */
export function listingTool(tool: ToolDefinition): ToolDefinition {
  const { properties, ...schema } = tool.inputSchema;
  const maxPages = {
    type: "integer",
    minimum: 1,
    maximum: mostPages,
    default: defaultMaxPages,
    description: "Pages at most.",
  };
  return {
    name: `${tool.name}_all`,
    description: `Asks ${tool.name} for page after page; gives {items, pages, complete}.\n\n${tool.description}`,
    inputSchema: { ...schema, properties: { ...(properties as object), max_pages: maxPages } },
    outputSchema: {
      type: "object",
      properties: { items: { type: "array" }, pages: { type: "integer" }, complete: { type: "boolean" } },
      required: ["items", "pages", "complete"],
    },
    effect: tool.effect,
    ...(tool.tags === undefined ? {} : { tags: tool.tags }),
  };
}

/**
 * Walks a list. `complete` is false when there were more pages than were asked for, or more than `maxBytes` hold in all: pages that fit one
 * by one must not fill the host's memory together.
 *
 * @throws ArtificerError `tool/output-unparsable` when the answer holds no list, or leads in a circle.
 */
export async function walkPages(
  pagination: Pagination,
  { args, maxBytes }: { args: Record<string, unknown>; maxBytes: number },
  fetchPage: (request: PageRequest) => Promise<PageAnswer>,
): Promise<Value> {
  const { max_pages: asked, ...own } = args;
  const maxPages = typeof asked === "number" ? asked : defaultMaxPages;
  const items: Value[] = [];
  const seen = new Set<string>();
  let request: PageRequest | undefined = { args: own };
  let pages = 0;
  let bytes = 0;
  while (request !== undefined && pages < maxPages && bytes < maxBytes) {
    const answer: PageAnswer = await fetchPage(request);
    pages++;
    bytes += answer.response.body.byteLength;
    const page = itemsOf(answer.body, pagination.items);
    items.push(...page);
    request = nextPage(pagination, own, answer, { items: items.length, pages, found: page.length });
    const key = request === undefined ? undefined : JSON.stringify("url" in request ? request.url.href : request.args);
    if (key !== undefined && seen.has(key)) throw odd("The list leads back to a page that was read already.");
    if (key !== undefined) seen.add(key);
  }
  return { items, pages, complete: request === undefined };
}

function nextPage(
  pagination: Pagination,
  args: Record<string, unknown>,
  { response, body }: PageAnswer,
  sofar: { items: number; pages: number; found: number },
): PageRequest | undefined {
  switch (pagination.by) {
    case "link":
      return address(linkNext(response.headers.get("link")), response.url);
    case "url":
      return address(at(body, pagination.at), response.url);
    case "cursor": {
      const cursor = at(body, pagination.at);
      if (cursor === null || cursor === undefined || cursor === "") return undefined;
      return { args: { ...args, [pagination.parameter]: cursor } };
    }
    case "page": {
      if (sofar.found === 0) return undefined;
      const start = Number(args[pagination.parameter] ?? pagination.first);
      return { args: { ...args, [pagination.parameter]: start + sofar.pages } };
    }
    case "offset": {
      if (sofar.found === 0) return undefined;
      return { args: { ...args, [pagination.parameter]: Number(args[pagination.parameter] ?? 0) + sofar.items } };
    }
  }
}

function address(given: unknown, base: URL): PageRequest | undefined {
  if (typeof given !== "string" || given === "") return undefined;
  if (!URL.canParse(given, base.href)) throw odd("The address of the next page is none.");
  const url = new URL(given, base);
  // The API's credentials go with the request: they must not be led elsewhere by an answer.
  if (url.origin !== base.origin) throw odd(`The next page is said to be at another place, ${url.origin}.`);
  return { url };
}

function linkNext(header: string | null): string | undefined {
  for (const [, target, parameters] of (header ?? "").matchAll(/<([^>]*)>([^,<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters!)) return target;
  }
  return undefined;
}

function itemsOf(body: Value, path: string | undefined): readonly Value[] {
  const found = path === undefined ? body : at(body, path);
  if (Array.isArray(found)) return found as readonly Value[];
  throw odd(path === undefined ? "The answer is no list." : `There is no list at ${path} of the answer.`);
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found =
      found instanceof Map
        ? found.get(step)
        : Object.hasOwn(found, step)
          ? (found as Record<string, unknown>)[step]
          : undefined;
  }
  return found;
}

function odd(message: string): ArtificerError {
  return new ArtificerError("tool/output-unparsable", message, { hint: "Check paginate in the definition." });
}
