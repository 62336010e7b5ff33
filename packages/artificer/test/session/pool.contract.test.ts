import { createKernelPool } from "@artificer/runtime";
import { testExecutor } from "@artificer/testkit";
import { createPythonKernel, createSubprocessExecutor } from "../../src/index.js";

// A pool is an executor: whatever holds for the one behind it holds for kernels that were handed over.
await testExecutor("a pool of subprocesses", async () => {
  const programs = [createPythonKernel()];
  const pool = createKernelPool({ executor: createSubprocessExecutor({ programs }), size: 1 });
  return { executor: pool, programs, close: () => pool.close() };
});
