import { createPythonKernel } from "@artificer/kernel-python";
import { testExecutor } from "@artificer/testkit";
import { createContainerExecutor } from "../src/container/index.js";

const engine = ["podman", "--root", "/tmp/pm/root", "--runroot", "/tmp/pm/run"];
await testExecutor("container", async () => {
  const programs = [createPythonKernel()];
  const executor = createContainerExecutor({
    programs,
    engine,
    engineEnv: { CONTAINERS_CONF: "/tmp/pm/containers.conf" },
    image: "localhost/hostusr:1",
    mounts: [{ source: "/usr", target: "/usr" }],
  });
  return { executor, programs, close: () => executor.close() };
});
