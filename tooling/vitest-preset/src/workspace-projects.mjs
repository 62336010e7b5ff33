import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const groups = ["packages", "apps", "tooling"];

/**
 * One vitest project for each workspace package that has tests, named as the package is; they take the root's settings.
 * Vitest looks for its configuration in the folders above, so a run inside one package (`vitest run` there, or
 * `vitest run --root` with its folder) comes here too: it gets that package alone.
 *
 * @param {string} root the repository's folder
 * @param {string} from the folder that the run is for
 * @returns {import("vitest/config").TestProjectInlineConfiguration[]}
 */
export function workspaceProjects(root, from = askedFolder()) {
  const candidates = groups.flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(root, group, name)) : [],
  );
  const tested = [...candidates, join(root, "examples")].filter(
    (folder) => existsSync(join(folder, "package.json")) && existsSync(join(folder, "test")),
  );
  const chosen = resolve(from) === resolve(root) ? tested : tested.filter((folder) => holds(folder, from));
  if (chosen.length === 0) throw new Error(`no tests for ${from}: there is no package with a test folder there`);
  return chosen.map((folder) => ({
    extends: true,
    test: { name: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name, root: folder },
  }));
}

function holds(folder, path) {
  return !relative(folder, path).startsWith("..");
}

/** The folder given to vitest by `--root`, or else the one it was started in. */
function askedFolder() {
  const args = process.argv.slice(2);
  const index = args.findIndex((arg) => arg === "--root" || arg === "-r");
  const value = index === -1 ? args.find((arg) => arg.startsWith("--root="))?.slice("--root=".length) : args[index + 1];
  return resolve(value ?? ".");
}
