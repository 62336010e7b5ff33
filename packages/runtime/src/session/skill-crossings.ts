import type { Language, Value } from "@artificer/protocol";
import type { SkillElsewhere } from "../handles/handle-context.js";
import type { Outcome } from "../outcome/outcome.js";
import { crossedBack } from "./crossed-back.js";
import { invocationCode } from "./invocation-code.js";
import { skillResult } from "./skill-result.js";

type Run = (code: string, options: { language: Language; signal: AbortSignal; within: number }) => Promise<Outcome>;

/** Runs a skill in its own language's kernel, as a cell of its own, while the calling cell waits. */
export function skillCrossings(
  run: Run,
  { stash }: { stash(value: Value): string },
): (call: SkillElsewhere, signal: AbortSignal) => Promise<Value> {
  /** Languages whose kernel waits for a skill in another one, and so can't run anything. */
  const waiting = new Set<Language>();
  return async ({ from, cell, language, name, args }, signal) => {
    if (waiting.has(language)) throw crossedBack(from, language, name);
    waiting.add(from);
    try {
      const code = invocationCode(language, name, args, { stash });
      return skillResult(name, await run(code, { language, signal, within: cell }));
    } finally {
      waiting.delete(from);
    }
  };
}
