import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.js";

const cache = new Map<string, string | undefined>();

/**
 * What the built command answers to `artificer <words> --help`; undefined when `words` isn't a command. A word counts as
 * a command only when its group's help lists it at the start of a line, so that `run FILE` isn't asked for a command FILE.
 */
export function commandHelp(words: readonly string[]): string | undefined {
  const key = words.join(" ");
  if (!cache.has(key)) cache.set(key, isListed(words) ? askHelp(words) : undefined);
  return cache.get(key);
}

function isListed(words: readonly string[]): boolean {
  const last = words.at(-1);
  if (last === undefined) return true;
  const above = commandHelp(words.slice(0, -1));
  return above !== undefined && new RegExp(`^\\s+(artificer\\s+.*)?${last}(\\s|$)`, "m").test(above);
}

function askHelp(words: readonly string[]): string | undefined {
  const command = join(repositoryRoot, "apps", "cli", "bin", "artificer.mjs");
  const { status, stdout } = spawnSync(process.execPath, [command, ...words, "--help"], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 30_000,
  });
  return status === 0 ? stdout : undefined;
}
