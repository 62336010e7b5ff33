import { Session } from "artificer";
import type { Bench, Row } from "../row.js";

const beside = "rows = [{'n': n, 'text': str(n) * 10} for n in range(100_000)]\nblob = bytearray(14 << 20)";

/** Saving one small variable that has changed, with 20 MB of others beside it that have not. */
export const snapshotOfOne: Row = {
  name: "snapshot of one changed variable among 20 MB",
  limit: "the same with nothing beside it",
  operations: 1,
  warmUps: 3,
  samples: 40,
  budget: "in proportion to the change",
  async open(bench) {
    const [full, empty] = await Promise.all([openSession(bench, beside), openSession(bench, "pass")]);
    const side = (session: Session) => async () => {
      const report = await session.snapshot();
      return async () => {
        if (!report?.saved.includes("small") || report.skipped.length > 0) throw new Error("the snapshot is not whole");
        await session.run("small.append(1)");
      };
    };
    return {
      ours: side(full),
      bare: side(empty),
      close: async () => {
        await Promise.all([full.close(), empty.close()]);
      },
    };
  },
};

async function openSession({ python }: Bench, code: string): Promise<Session> {
  const session = new Session({
    embedder: null,
    interpreters: { python },
    // Only what is measured saves.
    snapshot: { debounceMs: 3_600_000 },
  });
  await session.run(`small = []\n${code}`);
  return session;
}
