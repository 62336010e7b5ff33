import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExecutorCaseContext, openCase } from "./executor-case.js";
import { executorCases } from "./executor-cases.js";
import { expectRefused } from "./expect-refused.js";
import type { ExecutorUnderTest } from "./open-suite-session.js";

export interface TestExecutorOptions {
  /** Why the suite can't run on this machine: its cases are then listed by name as not run, with this reason. */
  notRun?: string | undefined;
}

/**
 * The contract that every executor passes, in each language it declares. `open` gives a fresh, isolated driver each time.
 * What a driver can't do it declares, and the suite then proves the refusal; nothing is skipped but where the machine
 * lacks what the driver stands on, and then by name.
 */
export async function testExecutor(
  name: string,
  open: () => Promise<ExecutorUnderTest>,
  { notRun }: TestExecutorOptions = {},
): Promise<void> {
  if (notRun !== undefined) {
    describe(`executor ${name}, not run here: ${notRun}`, () => {
      for (const { id, title } of executorCases) it(`${id}: ${title}`, (context) => context.skip(notRun));
    });
    return;
  }
  const probe = await open();
  const { capabilities } = probe.executor;
  const languages = probe.programs.map(({ language }) => language);
  await probe.close();

  describe(`executor ${name}`, () => {
    it("declares the languages it is tested in", () => {
      expect(capabilities.languages).toEqual(expect.arrayContaining(languages));
    });

    for (const language of languages) {
      describe(`${name}, ${language}`, () => {
        let context: ExecutorCaseContext;
        beforeEach(async () => {
          context = await openCase(language, open);
        });
        afterEach(() => context.close());

        for (const { id, title, run, needsProcess } of executorCases) {
          const refused = capabilities.ownProcess === false ? needsProcess : undefined;
          if (refused === undefined) it(`${id}: ${title}`, () => run(context));
          else
            it(`${id}: refused by name, since it needs a process of the kernel's own`, () =>
              expectRefused(context, refused));
        }
      });
    }
  });
}
