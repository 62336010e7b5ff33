// A process that waits until it learns of a skill that another one saved: commands come as lines of JSON, and it ends with its input.
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { createBenchEmbedder, openBenchLibrary } from "../storage/bench-library.js";
import { openBareValue } from "./bare-value.js";
import { type LearnerCommand, type LearnerReport, learned } from "./learner-protocol.js";
import { openLearningStorage } from "./open-learning-storage.js";

/** What is looked at again and again. */
interface Opened {
  look(): Promise<boolean>;
  readonly embedded: readonly string[];
  close(): Promise<void>;
}

async function open({ target, side }: Extract<LearnerCommand, { do: "open" }>): Promise<Opened> {
  if (side === "bare") {
    const value = await openBareValue(target, learned.bareKey);
    return { look: value.isThere, embedded: [], close: value.close };
  }
  const storage = await openLearningStorage(target);
  const embedder = createBenchEmbedder();
  const library = await openBenchLibrary(storage, embedder);
  return {
    look: async () => (await library.search(learned.query)).some(({ name }) => name === learned.skill),
    embedded: embedder.embedded,
    close: () => storage.close(),
  };
}

async function watch({ look, embedded }: Opened, everyMs: number, patienceMs: number): Promise<LearnerReport> {
  const until = performance.now() + patienceMs;
  // Not all at the same moment.
  await delay(Math.random() * everyMs);
  for (let looks = 1; ; looks++) {
    const begun = performance.now();
    if (await look()) return { foundAt: performance.timeOrigin + performance.now(), looks, embedded: embedded.length };
    if (performance.now() > until) return { looks, embedded: embedded.length };
    await delay(Math.max(0, everyMs - (performance.now() - begun)));
  }
}

let opened: Opened | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as LearnerCommand;
  let answer: object = {};
  if (command.do === "open") {
    opened = await open(command);
    await opened.look();
  } else if (command.do === "watch" && opened !== undefined) {
    answer = await watch(opened, command.everyMs, command.patienceMs);
  } else {
    await opened?.close();
    opened = undefined;
  }
  console.log(JSON.stringify(answer));
}
await opened?.close();
