import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { describe, expect, it } from "vitest";
import { type CellEngine, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

/** A session whose interpreter has no packages at all, and so no IPython. */
async function openBare(engine: CellEngine): Promise<Session> {
  const base = await temp();
  const { path } = await createPythonKernel().findInterpreter();
  execFileSync(path, ["-m", "venv", "--without-pip", join(base, "bare")]);
  const python = { interpreter: join(base, "bare", "bin", "python"), engine };
  await writeFile(join(base, "config.yaml"), JSON.stringify({ python, embeddings: { engine: "none" } }));
  return Session.fromBase(base);
}

describe("an interpreter without IPython [A12]", () => {
  it("refuses the cell when IPython was asked for, and says how to mend it", async () => {
    await using session = await openBare("ipython");
    const outcome = await session.run("1 + 1");
    expect(outcome).toMatchObject({ status: "refused", error: { code: "kernel/engine-missing" } });
    expect(outcome.error?.message).toContain("There is no IPython");
    expect(outcome.error?.hint).toContain("pip install ipython");
  });

  it("runs cells without it when the engine is auto or own, with the same shorthand [A9]", async () => {
    for (const engine of ["auto", "own"] as const) {
      await using session = await openBare(engine);
      const outcome = await session.run("where = %pwd\n!echo {len(where) > 0}\n%env HOME");
      expect(outcome).toMatchObject({ status: "completed", stdout: "True\n", background: [] });
    }
  });
});
