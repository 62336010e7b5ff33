import { openPodman } from "@artificer/testkit/confinement";
import { createContainerExecutor } from "artificer";
import { executorStart } from "./executor-start.js";

/** Needs Podman and root, for an image that no registry is asked for. */
async function open() {
  const podman = await openPodman();
  if ("reason" in podman) return podman;
  const { command: engine, env: engineEnv, image, mounts, close } = podman;
  return { executor: createContainerExecutor({ engine, engineEnv, image, mounts }), close };
}

const shared = { samples: 10, budget: "none: the engine's own start is most of it", open };

export const containerStart = executorStart({
  ...shared,
  name: "first cell in a container",
  language: "python",
  interpreter: "python3",
});

export const typescriptContainerStart = executorStart({
  ...shared,
  name: "first TypeScript cell in a container",
  language: "typescript",
});
