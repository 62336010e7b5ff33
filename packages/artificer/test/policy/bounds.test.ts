import { afterEach, describe, expect, it, vi } from "vitest";
import { type PolicyOptions, Session, type SessionOptions } from "../../src/index.js";
import { attempts, openShop } from "./open-shop.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(policy: PolicyOptions, options: SessionOptions & { slow?: () => Promise<void> } = {}) {
  const shop = openShop({ policy, ...options });
  open.unshift(shop.session);
  return shop;
}

const price = (item: string) => `tools.shop.price(item='${item}')`;
const codes = (value: unknown) => (value as unknown[]).map((each) => (Array.isArray(each) ? each[0] : each));

describe("budgets", () => {
  it("of calls hold for a cell and for the session, sub-agents included, each with its own code [A3]", async () => {
    const { session, ran } = start({ budgets: { cell: { calls: 2 }, session: { calls: 3 } } });
    const all = attempts(price("a"), price("b"), price("c"));
    expect(codes((await session.run(all)).value)).toEqual([3, 3, "budget/calls"]);
    const child = new Session({ parent: session });
    open.unshift(child);
    const outcome = await child.run(all);
    expect(codes(outcome.value)).toEqual([3, "budget/calls", "budget/calls"]);
    expect(outcome.toolCalls.map(({ status }) => status)).toEqual(["completed", "refused", "refused"]);
    expect(ran).toHaveLength(3);
  });

  it("of seconds end a call that would take longer", async () => {
    const { session } = start(
      { budgets: { cell: { seconds: 0.3 } } },
      { slow: () => new Promise((resolve) => setTimeout(resolve, 60_000).unref()) },
    );
    expect(codes((await session.run(attempts(price("a"), price("b")))).value)).toEqual([
      "budget/seconds",
      "budget/seconds",
    ]);
  });

  it("of bytes count results, and a tool may have a bound of its own", async () => {
    const { session } = start({ budgets: { session: { bytes: 5_000 } }, maxResultBytes: { "shop.blob": 4_000 } });
    const blob = (size: number) => `len(tools.shop.blob(size=${size}))`;
    const outcome = await session.run(attempts(blob(4_500), blob(3_000), blob(3_500), blob(100)));
    expect(codes(outcome.value)).toEqual(["tool/result-too-large", 3000, "budget/bytes", 100]);
  });
});

describe("calls at once", () => {
  it("are bounded in the session and of each tool; others wait in the order they came, and a stopped cell's leave the queue [A3]", async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { session, ran, most } = start(
      { concurrency: { session: 2, tools: { "shop.wipe": 1 } } },
      { slow: () => gate },
    );
    const stop = new AbortController();
    let asked = 0;
    const stopped = session.run("import asyncio\nawait asyncio.gather(*(shop.price(item=str(n)) for n in range(6)))", {
      signal: stop.signal,
      onToolCall: ({ status }) => {
        if (status === "pending") asked++;
      },
    });
    await expect.poll(() => [asked, ran.length]).toEqual([6, 2]);
    stop.abort();
    expect((await stopped).toolCalls.map(({ reached }) => reached)).toEqual([true, true, false, false, false, false]);
    release();
    const outcome = await session.run(
      "await asyncio.gather(*(shop.price(item=str(n)) for n in range(6, 12)), shop.wipe(), shop.wipe())",
    );
    expect(outcome.status).toBe("completed");
    expect(most.atOnce).toBe(2);
    expect(ran.filter((what) => what.startsWith("price")).slice(2)).toEqual(
      [6, 7, 8, 9, 10, 11].map((n) => `price ${n}`),
    );
  });
});

describe("kept results", () => {
  it("are given again for the same arguments until their time is over, to whoever asks meanwhile too [A3]", async () => {
    const { session, ran } = start({ cacheMs: { "shop.*": 60_000 } });
    const outcome = await session.run(
      "import asyncio\nfirst = await asyncio.gather(*(shop.price(item='tea', count=2) for _ in range(5)))\n[*first, tools.shop.price(count=2, item='tea'), tools.shop.price(item='tea')]",
    );
    expect(outcome.value).toEqual([6, 6, 6, 6, 6, 6, 3]);
    expect(ran).toEqual(["price tea", "price tea"]);
    expect(outcome.toolCalls.filter(({ cached, reached }) => cached && !reached)).toHaveLength(5);
  });

  it("are those of one session alone, are dropped when a tool of the toolkit changes something, and never of tools that do", async () => {
    const policy: PolicyOptions = { cacheMs: { "*": 60_000 } };
    const one = start(policy, { owner: "ada" });
    const other = start(policy, { owner: "bob" });
    await one.session.run(price("tea"));
    await other.session.run(price("tea"));
    expect(other.ran).toEqual(["price tea"]);
    await one.session.run("tools.shop.wipe(); tools.shop.wipe()");
    await one.session.run(price("tea"));
    expect(one.ran).toEqual(["price tea", "wipe", "wipe", "price tea"]);
  });

  it("run out by a clock that nobody sets", async () => {
    const { session, ran } = start({ cacheMs: { "*": 300 } });
    await session.run(price("tea"));
    const now = vi.spyOn(Date, "now").mockReturnValue(0);
    try {
      await new Promise((resolve) => setTimeout(resolve, 350));
      await session.run(price("tea"));
    } finally {
      now.mockRestore();
    }
    expect(ran).toHaveLength(2);
  });

  it("never hold a failure, nor the end of a caller who was stopped", async () => {
    let fail = true;
    const { session, ran } = start(
      { cacheMs: { "*": 60_000 } },
      {
        slow: async () => {
          if (fail) throw new Error("not now");
        },
      },
    );
    expect(codes((await session.run(attempts(price("tea")))).value)).toEqual(["tool/failed"]);
    fail = false;
    expect((await session.run(price("tea"))).value).toBe(3);
    expect(ran).toHaveLength(2);
  });
});

describe("a dry run", () => {
  it("lists what would be done and does nothing, for the session or for one cell", async () => {
    const { session, ran } = start(
      {
        rules: [
          { action: "ask", tool: "*order" },
          { action: "deny", tool: "*wipe" },
        ],
      },
      { secrets: ["hush hush"] },
    );
    const code = attempts(price("a"), "tools.shop.place_order(item='b', token='hush hush')", "tools.shop.wipe()");
    const outcome = await session.run(code, { dryRun: true });
    expect(codes(outcome.value)).toEqual([null, null, "tool/denied"]);
    expect(outcome.toolCalls.slice(0, 2)).toMatchObject([
      {
        tool: "shop_tools.price",
        status: "planned",
        reached: false,
        plan: { effect: "read", args: { item: "a" }, wouldAsk: false },
      },
      {
        tool: "shop_tools.place-order",
        status: "planned",
        plan: { args: { item: "b", token: "[redacted: secret]" }, wouldAsk: true },
      },
    ]);
    expect(ran).toEqual([]);
    expect((await session.run(price("a"))).value).toBe(3);
  });

  it("may let reads go ahead, and holds for threads that outlive the cell", async () => {
    const { session, ran } = start({ dryRun: "reads" });
    const outcome = await session.run(attempts(price("a"), "tools.shop.wipe()"));
    expect(outcome.value).toEqual([3, null]);
    await session.run(
      "import threading\ngo = threading.Event()\nlate = threading.Thread(target=lambda: (go.wait(), tools.shop.price(item='late')))\nlate.start()",
      { dryRun: true },
    );
    expect((await session.run("go.set(); late.join()")).status).toBe("completed");
    expect(ran).toEqual(["price a"]);
  });

  it("can't be dodged by a cell that passes for an earlier one", async () => {
    const { session, ran } = start({});
    await session.run("1");
    const forged = `import sys\nsys.modules['_artificer.host'].current_cell.set(1)\n${price("a")}`;
    const outcome = await session.run(forged, { dryRun: true });
    // It did pass for the earlier one: the call counts there.
    expect(outcome).toMatchObject({ status: "completed", toolCalls: [] });
    expect(ran).toEqual([]);
  });
});
