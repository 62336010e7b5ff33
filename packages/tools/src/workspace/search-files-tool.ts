import { lstat } from "node:fs/promises";
import { z } from "zod";
import { findProgram } from "../cli/find-program.js";
import { defineTool } from "../functions/index.js";
import type { ContentMatches, ContentSearch } from "./content-search.js";
import { fileError } from "./file-error.js";
import { createFileGlob } from "./file-glob.js";
import { rulesFor } from "./ignore-rules.js";
import { orderFiles } from "./order-files.js";
import { searchByReading } from "./search-by-reading.js";
import { searchWithRipgrep } from "./search-with-ripgrep.js";
import { walkFiles } from "./walk-files.js";
import type { WorkspaceContext } from "./workspace-context.js";

const input = z.object({
  pattern: z.string().min(1).describe("A regular expression for content; for files a glob or a part of the name"),
  target: z.enum(["content", "files"]).default("content").describe("files finds files by their names"),
  path: z.string().default(".").describe("Folder or file, relative to the workspace's root"),
  file_glob: z.string().optional().describe("Only these files, as *.py or src/**/*.ts"),
  limit: z.int().positive().max(10_000).default(50),
  offset: z.int().nonnegative().default(0).describe("Matches to pass over"),
  output_mode: z.enum(["content", "files_only", "count"]).default("content").describe("What a match tells"),
  context: z.int().nonnegative().max(50).default(0).describe("Lines around each match, as before and after"),
  order: z
    .enum(["discovery", "path", "modified"])
    .default("discovery")
    .describe("discovery: folder by folder; path: by the whole path; modified: files changed last come first"),
  literal: z.boolean().default(false).describe("Take the pattern as plain text"),
  ignore_case: z.boolean().default(false),
  hidden: z.boolean().default(false).describe("Also names that begin with a dot"),
});

const output = z.object({
  matches: z.array(
    z.object({
      path: z.string(),
      line: z.int().optional(),
      content: z.string().optional(),
      before: z.array(z.string()).optional(),
      after: z.array(z.string()).optional(),
      count: z.int().optional(),
      bytes: z.int().optional(),
    }),
  ),
  total: z.int(),
  truncated: z.boolean(),
});

/** `search_files`: lines in files, or files by name. Uses ripgrep where there is one, else reads the files itself. */
export function searchFilesTool({ root, limits }: WorkspaceContext, ripgrep: string | false) {
  return defineTool({
    description:
      "Searches the workspace for lines that match a pattern, or for files by name; .gitignore and binary files are respected. Gives matches with path, line (from 1) and content.",
    input,
    output,
    effect: "read",
    tags: ["file", "workspace", "grep", "find"],
    run: async (args, { signal }) => {
      const [start, base] = [await root.locate(args.path), await root.locate(".")];
      await lstat(start.absolute).catch((error: unknown) => {
        throw fileError(error, start.shown);
      });
      const rules = await rulesFor(base.absolute, start.shown);
      const matches = createFileGlob(args.file_glob);
      const where = { folder: base.absolute, start: start.shown, matches, rules, hidden: args.hidden, signal };
      const rank = (found: readonly { path: string }[]) =>
        orderFiles(found, { order: args.order, folder: base.absolute });
      if (args.target === "files") {
        const files = await findFiles(args.pattern, where);
        return page(files.sort(await rank(files)), args, true);
      }
      const search: ContentSearch = {
        ...where,
        pattern: args.pattern,
        literal: args.literal,
        ignoreCase: args.ignore_case,
        fileGlob: args.file_glob,
        context: args.context,
        maxFileBytes: limits.maxSearchBytes,
      };
      const program =
        ripgrep === false ? undefined : findProgram(ripgrep, { path: process.env.PATH, folder: base.absolute });
      const found = await (program === undefined ? searchByReading(search) : searchWithRipgrep(program, search));
      const byFile = await rank(found.matches);
      found.matches.sort((a, b) => byFile(a, b) || a.line - b.line);
      return page(shaped(found, args), args, found.complete);
    },
  });
}

type Match = z.infer<typeof output>["matches"][number];

function shaped({ matches }: ContentMatches, { output_mode, context }: z.output<typeof input>): Match[] {
  if (output_mode === "content")
    return matches.map(({ before, after, ...match }) => (context === 0 ? match : { ...match, before, after }));
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  return Array.from(counts, ([path, count]) => (output_mode === "count" ? { path, count } : { path }));
}

async function findFiles(
  pattern: string,
  where: Pick<ContentSearch, "folder" | "start" | "matches" | "rules" | "hidden" | "signal">,
): Promise<Match[]> {
  const isGlob = /[*?[\]{}]/.test(pattern);
  const named = isGlob ? createFileGlob(pattern) : (path: string) => path.toLowerCase().includes(pattern.toLowerCase());
  const found: Match[] = [];
  for await (const { path, entry } of walkFiles(where.folder, where.start, where)) {
    if (entry.isFile() && named(path) && where.matches(path)) found.push({ path });
  }
  return found;
}

function page(all: Match[], { offset, limit }: { offset: number; limit: number }, complete: boolean) {
  const matches = all.slice(offset, offset + limit);
  return { matches, total: all.length, truncated: !complete || offset + matches.length < all.length };
}
