import { createToolkit, defineTool, type Outcome, Session, type SessionOptions } from "artificer";
import { z } from "zod";
import type { Bench } from "./row.js";

/** A session as anyone makes one, with one tool that does nothing: `bench.ping`. */
export function openBenchSession({ python }: Bench, { limits, tools, ...options }: SessionOptions = {}): Session {
  const ping = defineTool({
    description: "Gives back what it got.",
    input: z.object({ n: z.number() }),
    effect: "read",
    run: ({ n }) => n,
  });
  const toolkit = createToolkit({ name: "bench", description: "For measuring", tools: { ping } });
  return new Session({
    ...options,
    embedder: null,
    interpreters: { python },
    tools: tools ?? [toolkit],
    // Large values are measured on their way, not as references.
    limits: { maxToolCalls: 1_000_000, maxInlineBytes: 64 * 2 ** 20, ...limits },
  });
}

/** A wrong answer is worth no time: throws unless the cell completed with this value. */
export function expectValue(outcome: Outcome, matches: (value: unknown) => boolean): void {
  if (outcome.status === "completed" && matches(outcome.value)) return;
  throw new Error(`a measured cell gave a wrong answer: ${outcome.status} ${outcome.traceback ?? outcome.repr ?? ""}`);
}
