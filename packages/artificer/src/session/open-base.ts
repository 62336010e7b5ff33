import { access, constants, mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ArtificerError, toArtificerError } from "@artificer/protocol";
import { artificerHome } from "@artificer/runtime";
import type { Config } from "../config/config-schema.js";
import { readConfig } from "../config/read-config.js";

/** A base folder, laid out and read. */
export interface Base {
  folder: string;
  toolsFolder: string;
  config: Config;
  writable: boolean;
}

const folders = ["tools", "skills", "artifacts"];

const files: Record<string, string> = {
  "requirements.txt": "# Packages that cells may import, one a line, as pip reads them.\n",
  "config.yaml": `# Settings of this base; every line is optional.
# code_execution:
#   timeout: 300          # seconds a cell may run; waiting for tools does not count
#   max_tool_calls: 50    # per cell
#   startup_code: {python: "import math"}  # runs before the first cell
#   memory: 2GB           # of a kernel
#   mode: project         # or strict: cells run in a folder of their own
#   kernel_idle_timeout: 1800
#   max_session_kernels: 4
# terminal:
#   env_passthrough: []   # variables of the host's that cells may see
# python:
#   interpreter: /usr/bin/python3
#   engine: own           # or ipython, or auto: IPython where the interpreter has it
#   venv: {python: "3.12", packages: [pandas]}   # a clean environment of its own
# deps:
#   allow_runtime: true   # false: cells can't add packages to requirements.txt
# embeddings:
#   engine: local         # or none: search by words alone
#   max_in_memory: 20000  # skills whose vectors are compared in memory; of more, a storage that ranks vectors is asked
# toolkits:
#   workspace: {root: ..}  # read_file, search_files, patch, terminal, …
#   web: {search: {provider: searxng, url: "http://localhost:8080"}}
# storage: "redis://agent:\${REDIS_PASSWORD}@host:6379?prefix=acme"   # or postgres://…, pglite:DIR, file:DIR; default: this folder
# snapshots:
#   key: \${ARTIFICER_SNAPSHOT_KEY}   # the same on all machines that share the storage: sessions are resumed anywhere
# secrets:                # by name, for tools/*.yaml and mcp.json
#   SHOP_TOKEN: {env: SHOP_TOKEN}
`,
};

/**
 * Finds what a base folder has and makes what it lacks. A folder that can't be written is opened for reading.
 *
 * @throws ArtificerError `session/base-not-writable` when it does not exist and can't be made; `config/…` for a bad config.yaml,
 *   the base's or the user's in `home`.
 */
export async function openBase(path: string, { home = artificerHome() } = {}): Promise<Base> {
  const folder = resolve(path.replace(/^~(?=$|[/\\])/, homedir()));
  const writable = await layOut(folder);
  return {
    folder,
    toolsFolder: join(folder, "tools"),
    config: await readConfig({ base: folder, home }),
    writable,
  };
}

async function layOut(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    for (const name of folders) await mkdir(join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { flag: "wx" }).catch(ignoreExisting);
    await access(folder, constants.W_OK);
    return true;
  } catch (thrown) {
    const readable = await access(folder, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (readable && isPermission(thrown)) return false;
    throw new ArtificerError(
      "session/base-not-writable",
      `The base folder ${folder} can't be made: ${toArtificerError(thrown).message}`,
      {
        details: { folder },
        hint: "Choose a folder you may write to with --base DIR, or change its permissions.",
        cause: thrown,
      },
    );
  }
}

function ignoreExisting(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== "EEXIST") throw thrown;
}

function isPermission(thrown: unknown): boolean {
  // Making a folder and its parents on a disk that can't be written ends in ENOENT, whatever is there.
  return ["EACCES", "EPERM", "EROFS", "ENOENT"].includes((thrown as NodeJS.ErrnoException).code ?? "");
}
