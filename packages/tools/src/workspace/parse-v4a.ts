import type { FileChange } from "./file-change.js";
import type { PatchHunk } from "./patch-hunk.js";

const header = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;

/**
 * Reads a V4A patch: `*** Begin Patch`, files that are added, updated or deleted, hunks found by what stands around them.
 *
 * @throws Error whose message names the line.
 */
export function parseV4a(patch: string): FileChange[] {
  const lines = patch.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findIndex((line) => line.trim() === "*** End Patch");
  const changes: FileChange[] = [];
  let at = begin + 1;
  const stop = end < 0 ? lines.length : end;
  const body = () => {
    const start = at;
    while (at < stop && !header.test(lines[at]!)) at++;
    return { lines: lines.slice(start, at), firstLine: start + 1 };
  };
  while (at < stop) {
    const line = lines[at]!;
    if (line.trim() === "") {
      at++;
      continue;
    }
    const [, action, path = ""] = header.exec(line) ?? [];
    if (action === undefined)
      throw new Error(
        `line ${at + 1}: "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH" is expected`,
      );
    at++;
    if (action === "Add") changes.push({ action: "create", path, content: addedText(body()) });
    else if (action === "Delete") {
      body();
      changes.push({ action: "delete", path });
    } else {
      const move = /^\*\*\* Move to: (.+?)\s*$/.exec(lines[at] ?? "")?.[1];
      if (move !== undefined) at++;
      const hunks = parseHunks(body());
      changes.push({ action: "update", path, hunks, ...(move === undefined ? {} : { moveTo: move }) });
    }
  }
  if (changes.length === 0) throw new Error("it changes no file");
  return changes;
}

interface Body {
  lines: readonly string[];
  firstLine: number;
}

function addedText({ lines, firstLine }: Body): string {
  const added = lines.map((line, index) => {
    if (line.startsWith("+")) return line.slice(1);
    if (line.trim() === "") return "";
    throw new Error(`line ${firstLine + index}: every line of an added file begins with "+"`);
  });
  return added.length === 0 ? "" : `${added.join("\n")}\n`;
}

/** Hunks between `@@` lines; what stands behind `@@` is a line to look for first. */
export function parseHunks({ lines, firstLine }: Body): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  let hunk: PatchHunk = { anchors: [], before: [], after: [], atEnd: false };
  const finish = () => {
    if (hunk.before.length + hunk.after.length > 0) hunks.push(hunk);
    hunk = { anchors: [], before: [], after: [], atEnd: false };
  };
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("@@")) {
      if (hunk.before.length + hunk.after.length > 0) finish();
      const anchor = line.replace(/^@@( -\d[\d,]* \+\d[\d,]* @@)?/, "").replace(/@@\s*$/, "");
      if (anchor.trim() !== "") hunk.anchors.push(anchor.replace(/^ /, ""));
    } else if (line.trim() === "*** End of File") {
      hunk.atEnd = true;
      finish();
    } else if (line.startsWith("+")) hunk.after.push(line.slice(1));
    else if (line.startsWith("-")) hunk.before.push(line.slice(1));
    else if (line.startsWith(" ") || line === "") {
      // Editors strip the blank that stands for an empty line.
      hunk.before.push(line.slice(1));
      hunk.after.push(line.slice(1));
    } else if (!line.startsWith("\\"))
      throw new Error(`line ${firstLine + index}: begins with none of " ", "+", "-" and "@@"`);
  }
  finish();
  return hunks;
}
