import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ArtificerError,
  createToolkit,
  defineTool,
  type HookedCall,
  Session,
  type SessionOptions,
  type ToolCallRecord,
} from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}): { session: Session; ran: string[] } {
  const ran: string[] = [];
  const shop = createToolkit({
    name: "shop",
    description: "A shop",
    tools: {
      price: defineTool({
        description: "What an item costs",
        input: z.object({ item: z.string(), count: z.int().default(1) }),
        effect: "read",
        run: ({ item, count }, { session, cell }) => {
          ran.push(`${item} ${cell} ${session === options.id}`);
          return count * 3;
        },
      }),
    },
  });
  const session = new Session({ embedder: null, tools: [shop], ...options });
  open.push(session);
  return { session, ran };
}

describe("tool hooks", () => {
  it("stand around every call in order, see its checked arguments and its context, and may change the result [A3]", async () => {
    const seen: string[] = [];
    const calls: HookedCall[] = [];
    const { session, ran } = start({
      id: "hooked",
      toolHooks: [
        async (call, next) => {
          calls.push(call);
          seen.push("outer before");
          const result = await next();
          seen.push("outer after");
          return (result as number) + 100;
        },
        async (_call, next) => {
          seen.push("inner before");
          return next();
        },
      ],
    });
    const outcome = await session.run(
      "import asyncio\ntools.shop.price(item='tea', count=2) + await shop.price('tea')",
    );
    expect(outcome.value).toBe(209);
    expect(seen.slice(0, 3)).toEqual(["outer before", "inner before", "outer after"]);
    expect(calls[0]).toMatchObject({
      toolkit: "shop",
      tool: "price",
      args: { item: "tea", count: 2 },
      session: "hooked",
      cell: 1,
    });
    expect(ran).toEqual(["tea 1 true", "tea 1 true"]);
  });

  it("refuse by throwing: the cell sees why, the tool never runs, and the record says that it was not reached [A3]", async () => {
    const { session, ran } = start({
      toolHooks: [
        async ({ args }, next) => {
          if (args.item === "gold") throw new ArtificerError("tool/denied", "Gold is not for sale.");
          if (args.item === "lead") throw new Error("no such thing");
          return next();
        },
      ],
    });
    const outcome = await session.run(`
told = []
for item in ("gold", "lead", "tea"):
    try:
        told.append(tools.shop.price(item=item))
    except Exception as error:
        told.append([error.code, error.message])
told`);
    expect(outcome.value).toEqual([
      ["tool/denied", "Gold is not for sale."],
      ["tool/failed", expect.stringContaining("no such thing")],
      3,
    ]);
    expect(ran).toHaveLength(1);
    expect(outcome.toolCalls.map(({ status, reached }) => [status, reached])).toEqual([
      ["refused", false],
      ["refused", false],
      ["completed", true],
    ]);
  });

  it("answer from a cache, so that the tool runs once [A3]", async () => {
    const cache = new Map<string, unknown>();
    const { session, ran } = start({
      toolHooks: [
        async ({ toolkit, tool, args }, next) => {
          const key = JSON.stringify([toolkit, tool, args]);
          if (!cache.has(key)) cache.set(key, await next());
          return cache.get(key);
        },
      ],
    });
    expect((await session.run("[tools.shop.price(item='tea') for _ in range(5)]")).value).toEqual([3, 3, 3, 3, 3]);
    expect(ran).toHaveLength(1);
  });

  it("that wait for ever do not hold up a cell that is stopped [A3]", async () => {
    const { session, ran } = start({ toolHooks: [() => new Promise(() => {})], limits: { maxWaitingMs: 300 } });
    const outcome = await session.run("kept = 1\ntools.shop.price(item='tea')");
    expect(outcome).toMatchObject({
      status: "timed-out",
      state: { variables: "kept" },
      toolCalls: [{ status: "cancelled", reached: false }],
    });
    expect(ran).toEqual([]);
  });
});

describe("the events of nested calls", () => {
  it("tell each call as it begins and again when it has ended, also those refused [A3]", async () => {
    const told: [string, ToolCallRecord["status"], boolean][] = [];
    const { session } = start({ limits: { maxToolCalls: 2 } });
    const outcome = await session.run(
      "tools.shop.price(item='tea')\ntry:\n    tools.shop.price()\nexcept TypeError: pass\nimport artificer_tools\ntry:\n    tools.shop.price(item='x')\n    tools.shop.price(item='y')\nexcept artificer_tools.ToolError: pass",
      { onToolCall: ({ tool, status, reached }) => told.push([tool, status, reached]) },
    );
    expect(outcome.status).toBe("completed");
    expect(told).toEqual([
      ["shop.price", "pending", false],
      ["shop.price", "completed", true],
      ["shop.price", "pending", false],
      ["shop.price", "completed", true],
      ["shop.price", "refused", false],
    ]);
  });
});

describe("a sub-agent's session", () => {
  it("has its parent's hooks, secrets and redaction [A3] [M13]", async () => {
    const seen: string[] = [];
    const { session } = start({
      secrets: ["open sesame"],
      toolHooks: [
        async ({ tool }, next) => {
          seen.push(tool);
          return next();
        },
      ],
    });
    const child = new Session({ parent: session });
    open.unshift(child);
    const outcome = await child.run("tools.shop.price(item='tea')\nprint('open sesame')");
    expect(outcome.stdout).toBe("[redacted: secret]\n");
    expect(seen).toEqual(["price"]);
  });
});
