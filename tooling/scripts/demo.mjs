// `npm run demo`: installs and builds what isn't yet, then plays the demonstration. Arguments go to it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { prepareWorkspace } from "./prepare-workspace.mjs";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";

const story = "an-agents-afternoon";
try {
  console.error("Getting ready (the first time takes a minute: install and build) ...");
  await prepareWorkspace();
  const program = join(repositoryRoot, "examples", "dist", story, "main.js");
  if (!existsSync(program)) throw new Error(`examples/src/${story}/main.ts isn't there, so there is nothing to play`);
  process.exitCode = (await runCommand([process.execPath, program, ...process.argv.slice(2)])).code;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
