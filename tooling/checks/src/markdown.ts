/** A link of a Markdown page: `target` as written, without a title. */
export interface MarkdownLink {
  target: string;
  line: number;
}

/** One line of a fenced shell block. */
export interface ShellLine {
  text: string;
  line: number;
}

/** A Markdown page, cut into what the checks read. */
export interface MarkdownPage {
  links: MarkdownLink[];
  /** What stands between backticks outside of fences. */
  codeSpans: MarkdownLink[];
  shellLines: ShellLine[];
  /** The fragments that its headings answer to, as GitHub makes them. */
  fragments: Set<string>;
}

/** Cuts a Markdown page. Fences are left out of links, spans and headings. */
export function readMarkdown(text: string): MarkdownPage {
  const page: MarkdownPage = { links: [], codeSpans: [], shellLines: [], fragments: new Set() };
  let fence: { mark: string; shell: boolean } | undefined;
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    const opening = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(content);
    if (fence !== undefined) {
      if (opening?.[1]?.startsWith(fence.mark) && opening[2] === "") fence = undefined;
      else if (fence.shell) page.shellLines.push({ text: content, line });
    } else if (opening?.[1] !== undefined) {
      fence = { mark: opening[1], shell: ["sh", "bash", "shell", "console"].includes(opening[2] ?? "") };
    } else {
      readLine(page, content, line);
    }
  }
  return page;
}

function readLine(page: MarkdownPage, content: string, line: number): void {
  const heading = /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(content)?.[1];
  if (heading !== undefined) addFragment(page.fragments, heading);
  for (const anchor of content.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) page.fragments.add(anchor[1] ?? "");
  for (const span of content.matchAll(/`([^`]+)`/g)) page.codeSpans.push({ target: span[1] ?? "", line });
  const prose = content.replace(/`[^`]*`/g, (span) => " ".repeat(span.length));
  for (const link of prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)) {
    page.links.push({ target: link[1] ?? "", line });
  }
  const definition = /^\s*\[[^\]]+\]:\s*(\S+)/.exec(prose)?.[1];
  if (definition !== undefined) page.links.push({ target: definition, line });
}

function addFragment(fragments: Set<string>, heading: string): void {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
  const base = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
  let fragment = base;
  for (let copy = 1; fragments.has(fragment); copy += 1) fragment = `${base}-${copy}`;
  fragments.add(fragment);
}
