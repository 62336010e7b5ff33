import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Lines remembered at most. */
export const historySize = 1000;

/** What was typed before, newest first, as readline wants it. */
export interface HistoryFile {
  lines: string[];
  save(lines: readonly string[]): void;
}

/** History in the base's own folder, else, where that can't be written, in `~/.artificer`; else for this time only. */
export function openHistoryFile(base: string): HistoryFile {
  const files = [join(base, ".state", "repl-history"), join(homedir(), ".artificer", "history")];
  const file = files.find(isWritable);
  return {
    lines: file === undefined ? [] : readLines(file),
    save(lines) {
      if (file === undefined) return;
      try {
        writeFileSync(file, `${lines.slice(0, historySize).reverse().join("\n")}\n`, { mode: 0o600 });
      } catch {
        // A history that can't be kept any more is no reason to disturb a session.
      }
    },
  };
}

function isWritable(file: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "", { flag: "a", mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function readLines(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean).reverse().slice(0, historySize);
}
