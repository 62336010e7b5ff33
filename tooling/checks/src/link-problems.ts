import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { type MarkdownPage, readMarkdown } from "./markdown.js";
import { readSource } from "./read-source.js";
import { repositoryRoot } from "./repository-root.js";

const topFolders = ["packages", "apps", "tooling", "examples", "docs", ".ci", ".changeset"];
const packageFolders = ["src", "test", "kernel", "bin"];

/** Every link and every named path of a page that leads nowhere. `path` is the page's own, from the clone. */
export function linkProblems(path: string, page: MarkdownPage): string[] {
  return [
    ...page.links.flatMap(({ target, line }) => problem(path, line, linkProblem(path, page, target))),
    ...page.codeSpans.flatMap(({ target, line }) => problem(path, line, namedPathProblem(path, target))),
  ];
}

function problem(path: string, line: number, text: string | undefined): string[] {
  return text === undefined ? [] : [`${path}:${line} ${text}`];
}

function linkProblem(path: string, page: MarkdownPage, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined; // another site's; no test of ours reaches the network
  const [file = "", fragment] = target.split("#", 2);
  const resolved = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file)));
  if (resolved.startsWith("..")) return `links to ${target}, which is outside of the repository`;
  if (file !== "" && !existsSync(join(repositoryRoot, resolved)))
    return `links to ${target}, but ${resolved} doesn't exist`;
  if (fragment === undefined || !resolved.endsWith(".md")) return undefined;
  const fragments = file === "" ? page.fragments : readMarkdown(readSource(resolved)).fragments;
  if (fragments.has(fragment)) return undefined;
  return `links to ${target}, but no heading of ${resolved} gives #${fragment}; there are ${[...fragments].map((name) => `#${name}`).join(", ")}`;
}

function namedPathProblem(path: string, span: string): string | undefined {
  const named = span.replace(/:\d+(-\d+)?$/, "");
  if (!/^[\w.@/-]+$/.test(named) || !named.includes("/") || named.includes("...")) return undefined;
  const [first = ""] = named.split("/", 1);
  const base = baseOf(path, first);
  if (base === undefined) return undefined;
  const resolved = posix.join(base, named);
  if (resolved.split("/").includes("dist") || existsSync(join(repositoryRoot, resolved))) return undefined;
  return `names \`${span}\`, but ${resolved} doesn't exist`;
}

/** The folder a named path starts from: the clone for its top folders, the package for a package's own. */
function baseOf(path: string, first: string): string | undefined {
  if (topFolders.includes(first)) return ".";
  const home =
    /^(?:packages|apps|tooling)\/[^/]+/.exec(path)?.[0] ?? (path.startsWith("examples/") ? "examples" : undefined);
  return home !== undefined && packageFolders.includes(first) ? home : undefined;
}
