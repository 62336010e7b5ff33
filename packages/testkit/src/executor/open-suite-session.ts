import type { Executor, KernelProgram, Toolkit } from "@artificer/protocol";
import { CoreSession, type CoreSessionOptions, createMemoryStorage, type SessionLimits } from "@artificer/runtime";
import { type Barrier, createBarrier } from "./create-barrier.js";
import { createSignal, type Signal } from "./create-signal.js";

/** What a driver's test hands to the executor suite: fresh and isolated. */
export interface ExecutorUnderTest {
  executor: Executor;
  programs: readonly KernelProgram[];
  /** Variables that the kernel needs to run at all; none for most. */
  env?: Record<string, string>;
  cwd?: string;
  /** What the suite bounds memory to, in bytes, where addresses are counted: Node takes a gigabyte of them at its start. */
  memoryBytes?: number;
  /** More about the session: an interpreter, an engine. */
  options?: Partial<CoreSessionOptions>;
  close(): Promise<void>;
}

export interface SuiteSession {
  session: CoreSession;
  /** Settles when the slow tool was called. */
  reached: Promise<void>;
  /** Reasons that the slow tool's signal was aborted with. */
  aborted: unknown[];
  /** Lets one call of the tool that holds its callers up go on; settles when the code behind it tells that it did. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** A session around the executor with a few real tools, and host secrets to be kept from it. */
export function openSuiteSession(under: ExecutorUnderTest, limits: Partial<SessionLimits> = {}): SuiteSession {
  const aborted: unknown[] = [];
  const reached = createSignal();
  const barrier = createBarrier();
  const session = new CoreSession({
    ...under.options,
    storage: createMemoryStorage(),
    executor: under.executor,
    programs: under.programs,
    toolkits: [calculator({ aborted, reached, barrier })],
    hostEnv: { ...process.env, SUITE_API_KEY: "not-for-cells", DATABASE_URL: "postgres://user:secret@host/db" },
    ...(under.env === undefined ? {} : { env: under.env }),
    ...(under.cwd === undefined ? {} : { cwd: under.cwd }),
    // An interrupt that lands takes as long as the machine needs; the cases where none lands set a shorter grace.
    limits: { graceMs: 20_000, maxToolCalls: 5_000, ...under.options?.limits, ...limits },
  });
  return {
    session,
    reached: reached.given,
    aborted,
    release: barrier.release,
    async close() {
      await session.close();
      await under.close();
    },
  };
}

/** What the calculator's tools tell their test, and wait for. */
interface CalculatorParts {
  aborted: unknown[];
  reached: Signal;
  barrier: Barrier;
}

function calculator({ aborted, reached, barrier }: CalculatorParts): Toolkit {
  const number = { type: "number" };
  const tool = (name: string, properties: Record<string, object> = {}) => ({
    name,
    description: `${name}, for the executor suite`,
    inputSchema: { type: "object", properties, required: Object.keys(properties) },
    effect: "read" as const,
  });
  let waiting: (() => void) | undefined;
  return {
    name: "calc",
    description: "Small tools for the executor suite",
    tools: [
      tool("add", { a: number, b: number }),
      ...["never", "meet", "fail", "hold", "told"].map((name) => tool(name)),
    ],
    async call(name, args, { signal }) {
      switch (name) {
        case "add":
          return (args.a as number) + (args.b as number);
        case "fail":
          throw new Error("the tool's own fault");
        case "meet":
          // Answers only when two calls are under way at once.
          return new Promise<string>((resolve) => {
            if (waiting === undefined) waiting = () => resolve("met");
            else {
              waiting();
              resolve("met");
            }
          });
        case "hold":
          await barrier.hold();
          return null;
        case "told":
          barrier.pass();
          return null;
        default:
          reached.give();
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => {
              aborted.push(signal.reason);
              reject(signal.reason);
            });
          });
      }
    },
  };
}
