import { createPythonKernel } from "@artificer/kernel-python";
import { testExecutor } from "@artificer/testkit";
import { createSandboxExecutor } from "../src/sandbox/index.js";

await testExecutor("sandbox", async () => {
  const programs = [createPythonKernel()];
  const executor = createSandboxExecutor({ programs });
  return { executor, programs, close: () => executor.close() };
});
