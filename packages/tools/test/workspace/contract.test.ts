import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testToolkit } from "@artificer/testkit";
import { createWorkspaceToolkit } from "../../src/workspace/index.js";

testToolkit("workspace", async () => {
  const root = await mkdtemp(join(tmpdir(), "artificer-workspace-"));
  await writeFile(join(root, "a.txt"), "one\n");
  return {
    toolkit: createWorkspaceToolkit({ root }),
    good: { tool: "read_file", args: { path: "a.txt" } },
    failing: { tool: "read_file", args: { path: "missing.txt" } },
    slow: { tool: "terminal", args: { command: "sleep 600" } },
    cleanup: () => rm(root, { recursive: true, force: true }),
  };
});
