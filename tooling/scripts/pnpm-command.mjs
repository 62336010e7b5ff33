import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";

let found;

/** The words that start the pnpm this repository pins: one on PATH of that very version, otherwise through npx. */
export async function pnpmCommand() {
  found ??= findPnpm();
  return await found;
}

async function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const wanted = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager)?.[1];
  if (wanted === undefined) throw new Error(`package.json: packageManager is "${packageManager}", not pnpm@x.y.z`);
  // Asked outside the clone: inside it, another version would fetch the pinned one and answer in its name.
  const onPath = await runCommand(["pnpm", "--version"], { cwd: tmpdir(), capture: true });
  if (onPath.code === 0 && onPath.output.trim() === wanted) return ["pnpm"];
  // -y because a machine's npm may be set to answer no to every question.
  return ["npx", "-y", `pnpm@${wanted}`];
}
