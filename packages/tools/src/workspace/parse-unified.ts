import { parsePatch, type StructuredPatch } from "diff";
import type { FileChange } from "./file-change.js";
import { parseHunks } from "./parse-v4a.js";
import type { PatchHunk } from "./patch-hunk.js";

/**
 * Reads a unified diff. Where its line counts are wrong, as those of models often are, its hunks are found by what stands
 * around them.
 *
 * @throws Error whose message says what is wrong.
 */
export function parseUnified(patch: string): FileChange[] {
  const text = patch.replaceAll("\r\n", "\n");
  let files: StructuredPatch[] | undefined;
  try {
    files = parsePatch(text).filter(({ oldFileName, newFileName }) => (oldFileName ?? newFileName) !== undefined);
  } catch {
    files = undefined;
  }
  const changes = files === undefined ? parseLoosely(text) : files.map(fromStructured);
  if (changes.length === 0) throw new Error('it has no "--- a/PATH" and "+++ b/PATH" lines');
  return changes;
}

function fromStructured(file: StructuredPatch): FileChange {
  const hunks = file.hunks.map(({ lines }) => {
    const [hunk] = parseHunks({ lines, firstLine: 1 });
    return hunk ?? { anchors: [], before: [], after: [], atEnd: false };
  });
  return change(cleanName(file.oldFileName), cleanName(file.newFileName), hunks, file);
}

function parseLoosely(text: string): FileChange[] {
  const lines = text.split("\n");
  const changes: FileChange[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.startsWith("--- ") || !lines[at + 1]?.startsWith("+++ ")) continue;
    const [from, to] = [cleanName(lines[at]!.slice(4)), cleanName(lines[at + 1]!.slice(4))];
    let end = at + 2;
    while (end < lines.length && !isFileHeader(lines, end)) end++;
    const body = lines
      .slice(at + 2, end)
      .filter((line) => !/^(diff --git|index |new file|deleted file|similarity|rename )/.test(line));
    while (body.at(-1) === "") body.pop();
    changes.push(change(from, to, parseHunks({ lines: body, firstLine: at + 3 })));
    at = end - 1;
  }
  return changes;
}

function isFileHeader(lines: readonly string[], at: number): boolean {
  return (
    lines[at]!.startsWith("diff --git ") ||
    (lines[at]!.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") === true)
  );
}

function change(
  from: string | undefined,
  to: string | undefined,
  hunks: PatchHunk[],
  unified?: StructuredPatch,
): FileChange {
  if (from === undefined && to === undefined) throw new Error("a file of it has no name");
  if (from === undefined) {
    const added = hunks.flatMap(({ after }) => after);
    return { action: "create", path: to!, content: added.length === 0 ? "" : `${added.join("\n")}\n` };
  }
  if (to === undefined) return { action: "delete", path: from };
  return {
    action: "update",
    path: from,
    hunks,
    ...(from === to ? {} : { moveTo: to }),
    ...(unified === undefined ? { loose: true } : { unified }),
  };
}

/** The path alone: no `a/` in front, no date behind; undefined for /dev/null. */
function cleanName(name: string | undefined): string | undefined {
  const bare = (name ?? "")
    .split("\t")[0]!
    .trim()
    .replace(/^"(.*)"$/, "$1");
  return bare === "" || bare === "/dev/null" ? undefined : bare.replace(/^[ab]\//, "");
}
