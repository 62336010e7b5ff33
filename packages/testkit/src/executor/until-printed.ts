import type { ExecutorCaseContext } from "./executor-case.js";

/** Runs code that prints a line and never ends by itself; gives its outcome to come once that line is there, whole. */
export async function untilPrinted(
  { run }: Pick<ExecutorCaseContext, "run">,
  code: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ outcome: ReturnType<ExecutorCaseContext["run"]> }> {
  let heard = "";
  return new Promise((resolve, reject) => {
    const outcome = run(code, {
      ...(signal === undefined ? {} : { signal }),
      onOutput: ({ text }) => {
        heard += text;
        if (heard.includes("\n")) resolve({ outcome });
      },
    });
    outcome.then(({ status }) => reject(new Error(`The cell is ${status} and has printed no line.`)), reject);
  });
}
