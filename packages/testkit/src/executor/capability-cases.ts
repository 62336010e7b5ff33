import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutorCapabilities, ResourceLimits } from "@artificer/protocol";
import type { Outcome } from "@artificer/runtime";
import { expect } from "vitest";
import { countProcesses } from "./count-processes.js";
import type { ExecutorCase, ExecutorCaseContext } from "./executor-case.js";
import { openSuiteSession } from "./open-suite-session.js";
import { untilPrinted } from "./until-printed.js";

const bounds: Record<keyof ResourceLimits, (context: ExecutorCaseContext) => { limit: number; code: string }> = {
  // Node reserves a gigabyte of addresses before it has done anything, and some executors count addresses.
  memoryBytes: ({ under, code }) => ({
    limit:
      under.memoryBytes ?? (/^(process|sandbox)$/.test(under.executor.capabilities.isolation) ? 1_600 : 256) * 2 ** 20,
    code: code.useMemory,
  }),
  cpuSeconds: ({ code }) => ({ limit: 2, code: code.busyLoop }),
  openFiles: ({ code }) => ({ limit: 128, code: code.openFiles(512) }),
  fileBytes: ({ code }) => ({ limit: 1 << 20, code: code.growFile(4 << 20) }),
  processes: ({ under, code }) => {
    // Where kernels are processes of the host's user, all of that user's count.
    const others = under.executor.capabilities.isolation === "process" ? countProcesses() : 0;
    return { limit: others + 60, code: code.startProcesses(others + 120) };
  },
};

/** What an executor declares is what it does: each capability has its case, and this table no longer compiles without one. */
const proofs: Record<
  Exclude<keyof ExecutorCapabilities, "languages" | "handOver" | "limitsUnlessRoot" | "ownProcess">,
  ExecutorCase
> = {
  isolation: {
    id: "executor.capability.isolation",
    title:
      "a kernel is what is declared: a thread of the host, a process of its own, or one that sees no files of the host",
    async run({ run, code, under }) {
      const { isolation, ownProcess = true } = under.executor.capabilities;
      const { value: pid } = await run(code.processId);
      expect(pid === process.pid).toBe(!ownProcess);
      expect(isolation === "none").toBe(!ownProcess);
      const folder = await mkdtemp(join(tmpdir(), "artificer-suite-"));
      await writeFile(join(folder, "of-the-host"), "seen");
      const seen = (await run(code.readsFile(join(folder, "of-the-host")))).value;
      await rm(folder, { recursive: true });
      expect(seen).toBe(isolation === "none" || isolation === "process");
    },
  },
  network: {
    id: "executor.capability.network",
    title:
      "the host's loopback is reached where the network is the host's, and not where it is none or yet to be configured",
    async run({ run, code, under }) {
      const server = createServer((peer) => peer.end());
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      const outcome = await run(code.reaches(port));
      await new Promise((resolve) => server.close(resolve));
      expect(outcome.value).toBe(under.executor.capabilities.network === "host");
    },
  },
  limits: {
    id: "executor.capability.limits",
    title: "each limit that is declared holds, and each that is not is told when a session sets it",
    async run(context) {
      const { under, language, code } = context;
      const declared = under.executor.capabilities.limits;
      for (const [name, bound] of Object.entries(bounds) as [keyof ResourceLimits, (typeof bounds)["openFiles"]][]) {
        const { limit, code: greedy } = bound(context);
        const { session } = openSuiteSession(under, { [name]: limit });
        try {
          const told = session.problems.filter((problem) => problem.code === "executor/limit-not-enforced");
          expect(
            told.map(({ message }) => message.includes(name)),
            name,
          ).toEqual(declared.includes(name) ? [] : [true]);
          if (!declared.includes(name)) continue;
          expect(await session.run(code.value, { language }), name).toMatchObject({ value: 2 });
          const outcome: Outcome = await session.run(greedy, { language, timeoutMs: 60_000 });
          expect(["failed", "crashed"], `${name}: ${outcome.toText()}`).toContain(outcome.status);
          expect((await session.run(code.value, { language })).status, name).toBe("completed");
        } finally {
          await session.close();
        }
      }
    },
  },
  kill: {
    id: "executor.capability.kill",
    title: "a kernel whose cell runs on and on is ended, and the next one is fresh, where that is declared",
    async run(context) {
      const { run, code, session, language, under } = context;
      if (!under.executor.capabilities.kill) throw new Error("No executor without it is known: add what it refuses.");
      await run(code.setCounter);
      const stuck = await untilPrinted(context, code.printThenBusy);
      await session.restart(language);
      expect((await stuck.outcome).state.variables).toBe("lost");
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 2 });
    },
  },
};

export const capabilityCases: readonly ExecutorCase[] = Object.values(proofs);
