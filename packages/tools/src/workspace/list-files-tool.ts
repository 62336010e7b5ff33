import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import { fileError } from "./file-error.js";
import { createFileGlob } from "./file-glob.js";
import { rulesFor } from "./ignore-rules.js";
import { walkFiles } from "./walk-files.js";
import type { WorkspaceContext } from "./workspace-context.js";

/** `list_files`: what is in a folder. */
export function listFilesTool({ root }: WorkspaceContext) {
  return defineTool({
    description:
      "Lists a folder of the workspace, in the order of names. recursive goes down into folders, past what .gitignore leaves out.",
    input: z.object({
      path: z.string().default(".").describe("Relative to the workspace's root"),
      file_glob: z.string().optional().describe("Only these files, as *.py or src/**/*.ts"),
      recursive: z.boolean().default(false),
      hidden: z.boolean().default(false).describe("Also names that begin with a dot"),
      limit: z.int().positive().max(100_000).default(1000),
    }),
    output: z.object({
      files: z.array(z.object({ path: z.string(), type: fileType, bytes: z.int(), modified: z.string() })),
      total: z.int(),
      truncated: z.boolean(),
    }),
    effect: "read",
    tags: ["file", "workspace", "folder"],
    run: async ({ path, file_glob, recursive, hidden, limit }, { signal }) => {
      const start = await root.locate(path);
      const matches = createFileGlob(file_glob);
      const base = await root.locate(".");
      const shown: { path: string; entry: Dirent }[] = [];
      let total = 0;
      const take = (each: { path: string; entry: Dirent }) => {
        if (file_glob !== undefined && (each.entry.isDirectory() || !matches(each.path))) return;
        total++;
        if (shown.length < limit) shown.push(each);
      };
      try {
        const entries = await readdir(start.absolute, { withFileTypes: true });
        if (recursive) {
          const rules = await rulesFor(base.absolute, start.shown);
          for await (const each of walkFiles(base.absolute, start.shown, { rules, hidden, signal })) take(each);
        } else {
          for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
            if (hidden || !entry.name.startsWith("."))
              take({ path: start.shown === "." ? entry.name : `${start.shown}/${entry.name}`, entry });
          }
        }
      } catch (error) {
        throw signal.aborted ? signal.reason : fileError(error, start.shown);
      }
      const files = await Promise.all(shown.map((each) => describeFile(base.absolute, each)));
      return { files: files.filter((file) => file !== undefined), total, truncated: total > shown.length };
    },
  });
}

const fileType = z.enum(["file", "folder", "link", "other"]);

async function describeFile(folder: string, { path }: { path: string }) {
  // Gone since it was listed: it isn't there.
  const stats = await lstat(join(folder, path)).catch(() => undefined);
  if (stats === undefined) return undefined;
  return { path, type: typeOf(stats), bytes: stats.size, modified: stats.mtime.toISOString() };
}

function typeOf(stats: Stats): z.infer<typeof fileType> {
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  return stats.isFile() ? "file" : "other";
}
