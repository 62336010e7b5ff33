import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { childEnvironment } from "../cli/child-environment.js";
import { runProgram } from "../cli/run-program.js";
import { type ContentMatches, type ContentSearch, type LineMatch, maxMatches, shownLine } from "./content-search.js";
import { invalidPattern } from "./line-matcher.js";

const maxOutputBytes = 64 * 1024 * 1024;

/** Searches with ripgrep, leaving out what `searchByReading` leaves out. */
export async function searchWithRipgrep(program: string, search: ContentSearch): Promise<ContentMatches> {
  const stats = await lstat(join(search.folder, search.start)).catch(() => undefined);
  const result = await runProgram({
    file: program,
    args: argumentsFor(search),
    cwd: search.folder,
    env: childEnvironment(process.env, {}),
    stdin: undefined,
    maxOutputBytes,
    graceMs: 200,
    signal: search.signal,
  });
  search.signal.throwIfAborted();
  if (result.ending === "not-started" || (result.exitCode === 2 && result.stdoutBytes === 0)) {
    throw failure(search.pattern, result.error?.message ?? Buffer.from(result.stderr).toString("utf8"));
  }
  const found = parseEvents(Buffer.from(result.stdout).toString("utf8"), search.context);
  const kept: LineMatch[] = [];
  const allowed = new Map<string, boolean>();
  for (const match of found) {
    let passes = allowed.get(match.path);
    if (passes === undefined) {
      passes = stats?.isFile() || (search.matches(match.path) && !(await search.rules.leavesOutDeep(match.path)));
      allowed.set(match.path, passes);
    }
    if (passes) kept.push(match);
    if (kept.length >= maxMatches) return { matches: kept, complete: false };
  }
  return { matches: kept, complete: result.ending === "exited" };
}

function argumentsFor({ fileGlob, ...search }: ContentSearch): string[] {
  return [
    ...["--json", "--crlf", "--no-config", "--no-messages", "--sort", "path"],
    // What is left out is decided by our own rules; those that ripgrep can know by itself save it the reading.
    ...(search.start === "."
      ? ["--no-ignore-parent", "--no-ignore-global", "--no-ignore-exclude", "--no-ignore-dot", "--no-require-git"]
      : ["--no-ignore"]),
    ...["--max-filesize", String(search.maxFileBytes), "--context", String(search.context)],
    ...(search.literal ? ["--fixed-strings"] : []),
    ...(search.ignoreCase ? ["--ignore-case"] : []),
    ...(search.hidden ? ["--hidden", "--glob", "!.git"] : []),
    // A type narrows the search without overruling .gitignore, which a glob would do; globs with folders are checked afterwards.
    ...(fileGlob === undefined || fileGlob.includes("/")
      ? []
      : ["--type-add", `wanted:${fileGlob}`, "--type", "wanted"]),
    ...["--regexp", search.pattern, "--", `./${search.start}`],
  ];
}

interface RipgrepText {
  text?: string;
  bytes?: string;
}
interface RipgrepEvent {
  type: string;
  data: { path?: RipgrepText; lines?: RipgrepText; line_number?: number };
}

function parseEvents(output: string, context: number): LineMatch[] {
  const files = new Map<string, Map<number, string>>();
  const hits: { path: string; line: number }[] = [];
  for (const text of output.split("\n")) {
    const event = parseEvent(text);
    if (event === undefined || (event.type !== "match" && event.type !== "context")) continue;
    const { path, lines, line_number: line } = event.data;
    if (path?.text === undefined || line === undefined) continue;
    const name = path.text.replace(/^(\.[/\\])+/, "").replaceAll("\\", "/");
    const known = files.get(name) ?? new Map<number, string>();
    files.set(name, known.set(line, shownLine(plain(lines))));
    if (event.type === "match") hits.push({ path: name, line });
  }
  return hits.map(({ path, line }) => {
    const known = files.get(path)!;
    const around = (from: number, to: number) => {
      const texts: string[] = [];
      for (let at = from; at <= to; at++) if (known.has(at)) texts.push(known.get(at)!);
      return texts;
    };
    const content = known.get(line)!;
    return { path, line, content, before: around(line - context, line - 1), after: around(line + 1, line + context) };
  });
}

function parseEvent(text: string): RipgrepEvent | undefined {
  try {
    return JSON.parse(text) as RipgrepEvent;
  } catch {
    // Blank, or cut off where the output grew too large.
    return undefined;
  }
}

function plain(lines: RipgrepText | undefined): string {
  return lines?.text ?? Buffer.from(lines?.bytes ?? "", "base64").toString("utf8");
}

function failure(pattern: string, message: string): ArtificerError {
  const reason = message.replace(/^rg: /, "").trim();
  if (/regex|pattern/i.test(reason)) return invalidPattern(pattern, reason.replaceAll(/\s+/g, " "));
  return new ArtificerError("tool/failed", `The search failed: ${reason}`, { details: { pattern, reason } });
}
