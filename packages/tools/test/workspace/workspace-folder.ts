import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createWorkspaceToolkit, type WorkspaceOptions } from "../../src/workspace/index.js";

/** A workspace on a folder of its own, and calls without ceremony. */
export interface TestWorkspace {
  root: string;
  /** A folder beside the root, which nothing may reach. */
  beside: string;
  call(tool: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
}

/** Opens workspaces that are closed, and whose folders are removed, after each test. */
export function useWorkspace() {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const each of undo.splice(0).reverse()) await each();
  });
  return async (
    files: Record<string, string | Uint8Array> = {},
    options: Partial<WorkspaceOptions> = {},
  ): Promise<TestWorkspace> => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-workspace-")));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const root = join(folder, "root");
    const beside = join(folder, "root-beside");
    await mkdir(root);
    await mkdir(beside);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const toolkit = createWorkspaceToolkit({ root, ...options });
    undo.push(async () => toolkit.close?.());
    return {
      root,
      beside,
      call: (tool, args = {}, signal = new AbortController().signal) =>
        toolkit.call(tool, args, { signal, session: "test", cell: 1 }),
    };
  };
}
