import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { testExecutor } from "@artificer/testkit";
import { createInprocessExecutor } from "../src/inprocess/index.js";

await testExecutor("inprocess", async () => {
  const programs = [createTypescriptKernel()];
  const executor = createInprocessExecutor();
  return { executor, programs, close: () => executor.close() };
});
