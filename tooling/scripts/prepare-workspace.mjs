import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pnpmCommand } from "./pnpm-command.mjs";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * Installs what the lockfile names and builds every package. Both are skipped when nothing changed: the install by a
 * stamp of the lockfile and every manifest, the build by turbo's cache. Throws when either fails.
 */
export async function prepareWorkspace() {
  const stampFile = join(repositoryRoot, "node_modules", ".cache", "artificer-install");
  const stamp = installStamp();
  if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
    await step("install", ["install", "--frozen-lockfile"]);
    mkdirSync(join(stampFile, ".."), { recursive: true });
    writeFileSync(stampFile, stamp);
  }
  // Through pnpm, because turbo wants pnpm on PATH and npx alone may be what put it there.
  await step("build", ["exec", "turbo", "run", "build", "--output-logs=errors-only", "--no-color"]);
}

async function step(name, args) {
  const command = [...(await pnpmCommand()), ...args];
  const { code, output } = await runCommand(command, { capture: true });
  if (code === 0) return;
  process.stderr.write(output);
  throw new Error(`${name} failed: \`${command.join(" ")}\` ended with ${code}`);
}

function installStamp() {
  const hash = createHash("sha256");
  const manifests = ["packages", "apps", "tooling"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder)).map((name) => `${folder}/${name}/package.json`),
  );
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", "examples/package.json", ...manifests]) {
    const path = join(repositoryRoot, file);
    if (existsSync(path)) hash.update(`${file}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}
