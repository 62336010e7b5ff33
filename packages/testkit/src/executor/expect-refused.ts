import { expect } from "vitest";
import type { ExecutorCaseContext } from "./executor-case.js";
import type { Snippets } from "./snippets.js";

/** The code is refused as what the executor can't do, with the way to mend it; the kernel and its variables live on. */
export async function expectRefused(
  { run, code }: ExecutorCaseContext,
  needing: (code: Snippets) => readonly string[],
): Promise<void> {
  await run(code.setCounter);
  for (const snippet of needing(code)) {
    expect(await run(snippet)).toMatchObject({
      status: "failed",
      error: { code: "executor/unsupported", message: expect.stringMatching(/executor/) },
      state: { variables: "kept" },
    });
  }
  expect(await run(code.readCounter)).toMatchObject({ value: 42, generation: 1 });
}
