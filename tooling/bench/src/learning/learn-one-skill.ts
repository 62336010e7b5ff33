import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "../measure-row.js";
import { createBenchEmbedder, openBenchLibrary } from "../storage/bench-library.js";
import { openBareValue } from "./bare-value.js";
import { type LearningTarget, learned, type Side } from "./learner-protocol.js";
import { openLearningStorage } from "./open-learning-storage.js";
import type { Learner } from "./start-learner.js";

/** How soon others knew. */
export interface LearningReport {
  /** Learners that found it, of all. */
  found: number;
  learners: number;
  /** From the end of the save until a learner had found it, in milliseconds; a negative one found it before the save was over. */
  p50Ms: number;
  p95Ms: number;
  lastMs: number;
  /** How often the skill's text was embedded, by all processes together. */
  embedded: number;
}

export interface LearningOptions {
  everyMs: number;
  patienceMs: number;
}

/** One saves, the others look every so often until they find it. */
export async function learnOneSkill(
  learners: readonly Learner[],
  target: LearningTarget,
  side: Side,
  { everyMs, patienceMs }: LearningOptions,
): Promise<LearningReport> {
  const tellAll = (command: Parameters<Learner["tell"]>[0]) => Promise.all(learners.map((one) => one.tell(command)));
  const saver = side === "ours" ? await openSaver(target) : await openBareSaver(target);
  try {
    await tellAll({ do: "open", target, side });
    const watching = tellAll({ do: "watch", everyMs, patienceMs });
    // Until all look: each begins within the first round.
    await Promise.race([watching, delay(2 * everyMs)]);
    await saver.save();
    const savedAt = performance.timeOrigin + performance.now();
    const reports = await watching;
    await tellAll({ do: "close" });
    const times = reports.flatMap(({ foundAt }) => (foundAt === undefined ? [] : [foundAt - savedAt]));
    const at = (rank: number) => (times.length === 0 ? Number.NaN : percentile(times, rank));
    const embedded = reports.reduce((sum, report) => sum + report.embedded, saver.embedded.length);
    return {
      found: times.length,
      learners: learners.length,
      p50Ms: at(50),
      p95Ms: at(95),
      lastMs: at(100),
      embedded,
    };
  } finally {
    await saver.close();
  }
}

interface Saver {
  save(): Promise<unknown>;
  readonly embedded: readonly string[];
  close(): Promise<void>;
}

async function openSaver(target: LearningTarget): Promise<Saver> {
  const storage = await openLearningStorage(target);
  const embedder = createBenchEmbedder();
  const library = await openBenchLibrary(storage, embedder);
  return {
    save: () => library.create({ name: learned.skill, source: learned.source, language: "python" }),
    embedded: embedder.embedded,
    close: () => storage.close(),
  };
}

async function openBareSaver(target: LearningTarget): Promise<Saver> {
  const value = await openBareValue(target, learned.bareKey);
  return { save: value.write, embedded: [], close: value.close };
}
