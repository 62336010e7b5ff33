import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { testExecutor } from "@artificer/testkit";
import { openPodman } from "@artificer/testkit/confinement";
import { afterAll } from "vitest";
import { createContainerExecutor } from "../src/container/index.js";

const podman = await openPodman();

await testExecutor(
  "container",
  async () => {
    if ("reason" in podman) throw new Error(podman.reason);
    const { command: engine, env: engineEnv, image, mounts } = podman;
    const programs = [createPythonKernel(), createTypescriptKernel()];
    const executor = createContainerExecutor({ engine, engineEnv, image, mounts });
    return { executor, programs, close: () => executor.close() };
  },
  { notRun: "reason" in podman ? podman.reason : undefined },
);

afterAll(async () => {
  if ("close" in podman) await podman.close();
});
