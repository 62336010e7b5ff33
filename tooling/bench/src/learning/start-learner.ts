import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LearnerCommand, LearnerReport } from "./learner-protocol.js";

/** Another process, told what to do. */
export interface Learner {
  tell(command: LearnerCommand): Promise<LearnerReport>;
  /** Ends it, whatever it does. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("../../dist/learning/learner.js", import.meta.url));

export function startLearner(): Learner {
  // What goes wrong in it is shown, and ends its answers.
  const child: ChildProcess = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.on("error", () => {}); // told by the missing answer
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    async tell(command) {
      child.stdin?.write(`${JSON.stringify(command)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("a learning process ended");
      return JSON.parse(value) as LearnerReport;
    },
    async stop() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
