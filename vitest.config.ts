import { preset, workspaceProjects } from "@artificer/vitest-preset";
import { defineConfig } from "vitest/config";

/** Every package's tests in one process tree: `npx vitest run --project @artificer/runtime` runs one package's. */
export default defineConfig({ test: { ...preset, projects: workspaceProjects(import.meta.dirname) } });
