import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { testExecutor } from "@artificer/testkit";
import { createSubprocessExecutor } from "../src/subprocess/create-subprocess-executor.js";

await testExecutor("subprocess", async () => {
  const programs = [createPythonKernel(), createTypescriptKernel()];
  const executor = createSubprocessExecutor({ programs });
  return { executor, programs, close: () => executor.close() };
});
