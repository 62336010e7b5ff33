import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { testExecutor } from "@artificer/testkit";
import { createSandboxExecutor } from "../src/sandbox/index.js";
import { whyNoSandbox } from "./support/why-no-sandbox.js";

await testExecutor(
  "sandbox",
  async () => {
    const programs = [createPythonKernel(), createTypescriptKernel()];
    const executor = createSandboxExecutor({ programs });
    return { executor, programs, close: () => executor.close() };
  },
  { notRun: await whyNoSandbox() },
);
