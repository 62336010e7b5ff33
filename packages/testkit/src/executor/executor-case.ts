import type { Language } from "@artificer/protocol";
import type { RunOptions } from "@artificer/runtime";
import { type ExecutorUnderTest, openSuiteSession, type SuiteSession } from "./open-suite-session.js";
import { type Snippets, snippets } from "./snippets.js";

export type CaseRunOptions = Pick<RunOptions, "timeoutMs" | "signal" | "onOutput">;

/** What a case is given: a session of its own around the driver, and the language's snippets. */
export interface ExecutorCaseContext extends SuiteSession {
  language: Language;
  code: Snippets;
  under: ExecutorUnderTest;
  run(code: string, options?: CaseRunOptions): ReturnType<SuiteSession["session"]["run"]>;
}

export interface ExecutorCase {
  /** Requirement id, `executor.<subject>.<what>`. */
  id: string;
  title: string;
  /** Code that needs a process of the kernel's own. Where an executor declares that there is none, it is refused by name. */
  needsProcess?: (code: Snippets) => string[];
  run(context: ExecutorCaseContext): Promise<void>;
}

/** Opens what a case needs. */
export async function openCase(
  language: Language,
  open: () => Promise<ExecutorUnderTest>,
): Promise<ExecutorCaseContext> {
  const under = await open();
  const suite = openSuiteSession(under);
  return {
    ...suite,
    under,
    language,
    code: snippets[language],
    run: (code, options) => suite.session.run(code, { language, ...options }),
  };
}
