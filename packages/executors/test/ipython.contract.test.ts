import { createPythonKernel } from "@artificer/kernel-python";
import { testExecutor } from "@artificer/testkit";
import { expect, it } from "vitest";
import { createSubprocessExecutor } from "../src/subprocess/create-subprocess-executor.js";
import { interpreterWithIpython } from "./support/interpreter-with-ipython.js";

const interpreter = await interpreterWithIpython();
if (interpreter === undefined) {
  console.warn(
    "No interpreter here has IPython, so its engine is not put through the contract: python -m pip install ipython",
  );
  it("finds no interpreter with IPython where there is none", async () => {
    expect(await interpreterWithIpython()).toBeUndefined();
  });
} else {
  await testExecutor("subprocess with IPython [A12]", async () => {
    const programs = [createPythonKernel()];
    const executor = createSubprocessExecutor({ programs });
    const options = { engine: "ipython", interpreters: { python: interpreter } } as const;
    return { executor, programs, options, close: () => executor.close() };
  });
}
