import { type CheckerProcess, type CheckerSettings, createCheckerProcess } from "./checker-process.js";

/** A share in a process that several sessions use. */
export interface LentChecker {
  readonly process: CheckerProcess;
  /** The last who gives it back ends it. Idempotent. */
  giveBack(): Promise<void>;
}

const lent = new Map<string, { process: CheckerProcess; users: number }>();

/** The one process of this host that checks with such settings: what is warm is warm for every session. */
export function lendChecker(settings: CheckerSettings): LentChecker {
  const key = JSON.stringify(settings);
  const shared = lent.get(key) ?? { process: createCheckerProcess(settings), users: 0 };
  shared.users++;
  lent.set(key, shared);
  let given = false;
  return {
    process: shared.process,
    async giveBack() {
      if (given) return;
      given = true;
      if (--shared.users > 0) return;
      lent.delete(key);
      await shared.process.close();
    },
  };
}
