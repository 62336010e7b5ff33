import { Readability } from "@mozilla/readability";
import { gfm } from "@truto/turndown-plugin-gfm";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";

/** Pages with more elements are taken as they are: finding the article in them would hold the host up. */
const maxElements = 50_000;
/** Finding the article takes time by the cube of how deep elements are nested: real pages stay below thirty or so. */
const maxArticleDepth = 80;
const maxMarkdownDepth = 300;
/** An article shorter than this may be a mistake: the whole body is looked at. */
const minArticleChars = 200;

/** A page as text. */
export interface ReadablePage {
  title: string;
  markdown: string;
}

/** The article of a page, or all that it shows when it has none, as Markdown with absolute links. */
export function htmlToMarkdown(html: string, url: URL): ReadablePage {
  const page = parse(html, url);
  const title = page.title?.trim() ?? "";
  const depth = depthOf(page);
  if (depth > maxMarkdownDepth) return { title, markdown: wordsOf(html) };
  const article = depth > maxArticleDepth ? undefined : findArticle(parse(html, url));
  const found = article === undefined ? "" : toMarkdown(article.content);
  if (found.length >= minArticleChars) return { title: article?.title || title, markdown: found };
  for (const noise of page.querySelectorAll("script,style,noscript,template,svg,iframe,form,nav,footer,aside"))
    noise.remove();
  const whole = toMarkdown(page.body?.innerHTML ?? "");
  return { title: article?.title || title, markdown: whole.length > found.length ? whole : found };
}

function parse(html: string, url: URL) {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  const base = baseOf(document.querySelector("base[href]")?.getAttribute("href"), url);
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const target = element.getAttribute(name) ?? "";
      const absolute = URL.canParse(target, base.href) ? new URL(target, base) : undefined;
      // A script or inlined image is nothing to read.
      if (absolute !== undefined && /^(https?|mailto):$/.test(absolute.protocol))
        element.setAttribute(name, absolute.href);
      else element.removeAttribute(name);
    }
  }
  return document;
}

function baseOf(href: string | null | undefined, url: URL): URL {
  return href != null && URL.canParse(href, url.href) ? new URL(href, url) : url;
}

function findArticle(document: ReturnType<typeof parse>): { title: string; content: string } | undefined {
  try {
    const article = new Readability(document, { maxElemsToParse: maxElements }).parse();
    return article?.content ? { title: article.title?.trim() ?? "", content: article.content } : undefined;
  } catch {
    // Too many elements, or markup that it trips over: the body serves.
    return undefined;
  }
}

function toMarkdown(html: string): string {
  try {
    return createTurndown()
      .turndown(html)
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  } catch {
    // Nested beyond what can be walked: the words alone.
    return html
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  }
}

/** The words alone. */
function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** How deep its elements are nested, found without recursion. */
function depthOf(document: ReturnType<typeof parse>): number {
  // Elements by the one member that counts here: the type of an element is another where the DOM's types are loaded.
  interface Nested {
    children: Iterable<Nested>;
  }
  let level: Nested[] = [document.documentElement];
  let depth = 0;
  for (; level.length > 0 && depth <= maxMarkdownDepth; depth++)
    level = level.flatMap((element) => [...element.children]);
  return depth;
}

function createTurndown(): TurndownService {
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.use(gfm);
  turndown.addRule("links", {
    filter: (node) => node.nodeName === "A" && !node.getAttribute("href"),
    replacement: (content) => content,
  });
  turndown.addRule("images", {
    filter: (node) => node.nodeName === "IMG" && !node.getAttribute("src"),
    replacement: () => "",
  });
  return turndown;
}
