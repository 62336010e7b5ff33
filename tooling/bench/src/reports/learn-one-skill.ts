import { mkdtemp, rm } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { startOwnPostgres, startOwnRedis } from "@artificer/testkit/services";
import pg from "pg";
import { bareTable } from "../learning/bare-value.js";
import { type LearningReport, learnOneSkill } from "../learning/learn-one-skill.js";
import type { LearningTarget } from "../learning/learner-protocol.js";
import { type Learner, startLearner } from "../learning/start-learner.js";
import type { Figure, Report } from "../report.js";

const wanted = 100;
const startedAtOnce = 8;
const bytesEach = 100 * 2 ** 20;
/** How often each process looks, and for how long at most. */
const looking = { everyMs: 250, patienceMs: 60_000 };

/** One process saves a skill, and others, each with an index of its own, find it by searching every quarter of a second. */
export const learnOneSkillReport: Report = {
  name: "storage: 100 processes learn one skill",
  onRequest: true,
  async measure(_, onProgress) {
    const count = Math.max(2, Math.min(wanted, Math.floor(freemem() / bytesEach)));
    const learners: Learner[] = [];
    const figures: Figure[] = [
      { what: "processes", value: String(count), budget: String(wanted), kept: count === wanted },
    ];
    try {
      while (learners.length < count - 1) {
        const wave = Array.from({ length: Math.min(startedAtOnce, count - 1 - learners.length) }, startLearner);
        learners.push(...wave);
        // Each has started once it answers.
        await Promise.all(wave.map((learner) => learner.tell({ do: "close" })));
      }
      for (const kind of ["files", "PostgreSQL", "Redis"] as const) {
        onProgress(kind);
        figures.push(...(await measureKind(kind, learners)));
      }
      return figures;
    } finally {
      await Promise.all(learners.map((learner) => learner.stop()));
    }
  },
};

async function measureKind(kind: LearningTarget["kind"], learners: readonly Learner[]): Promise<Figure[]> {
  let place: { address: string; stop(): Promise<void> };
  try {
    place = await makePlace(kind);
  } catch (error) {
    return [{ what: kind, value: `not measured here: ${error instanceof Error ? error.message : String(error)}` }];
  }
  try {
    const target = { kind, address: place.address };
    const bare = await learnOneSkill(learners, target, "bare", looking);
    const ours = await learnOneSkill(learners, target, "ours", looking);
    const { found, learners: all, embedded } = ours;
    return [
      { what: `${kind}: found by`, value: `${found} of ${all}`, budget: "all", kept: found === all },
      { what: `${kind}: embedded`, value: String(embedded), budget: "once", kept: embedded === 1 },
      {
        what: `${kind}: from save to found`,
        value: times(ours),
        budget: "last within 1 s",
        kept: ours.lastMs <= 1_000,
      },
      { what: `${kind}: one value by the bare driver`, value: times(bare) },
    ];
  } finally {
    await place.stop();
  }
}

function times({ p50Ms, p95Ms, lastMs }: LearningReport): string {
  return `p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms, last ${lastMs.toFixed(0)} ms`;
}

async function makePlace(kind: LearningTarget["kind"]): Promise<{ address: string; stop(): Promise<void> }> {
  if (kind === "files") {
    const folder = await mkdtemp(join(tmpdir(), "artificer-learning-"));
    return { address: folder, stop: () => rm(folder, { recursive: true, force: true }) };
  }
  const server = await (kind === "Redis" ? startOwnRedis() : startOwnPostgres());
  if (kind === "PostgreSQL") {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query(bareTable);
    await client.end();
  }
  return { address: server.url, stop: () => server.stop() };
}
