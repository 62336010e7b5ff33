import { createPythonKernel } from "@artificer/kernel-python";
import { testExecutor } from "@artificer/testkit";
import { createSubprocessExecutor } from "../src/subprocess/create-subprocess-executor.js";

await testExecutor("subprocess", async () => {
  const programs = [createPythonKernel()];
  const executor = createSubprocessExecutor({ programs });
  return { executor, programs, close: () => executor.close() };
});
