import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createMemoryStorage,
  type PolicyOptions,
  type Session,
  type SessionOptions,
} from "../../src/index.js";
import { attempts, openShop } from "./open-shop.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const askWrites: PolicyOptions = {
  rules: [{ action: "ask", effect: "write", tool: "*order", reason: "orders cost money" }],
};

function start(policy: PolicyOptions = askWrites, options: SessionOptions = {}) {
  const shop = openShop({ policy, ...options });
  open.unshift(shop.session);
  return shop;
}

const order = (item: string) => `tools.shop.place_order(item='${item}', token='s3cret-of-ours')`;
const until = (session: Session, count: number) => expect.poll(() => session.approvals.list().length).toBe(count);

describe("a call that is asked about", () => {
  it("waits with the cell's clock stopped, tells exactly what it would do, and goes on when it is allowed [A4]", async () => {
    const { session, ran } = start(askWrites, {
      secrets: ["s3cret-of-ours"],
      owner: "ada",
      limits: { maxWaitingMs: 500 },
    });
    const told: ApprovalRequest[] = [];
    session.approvals.onRequest((request) => told.push(request));
    const running = session.run(`a = 1\ntools.shop.price(item='x')\nprint(${order("tea")})`, { timeoutMs: 1500 });
    await until(session, 1);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    session.approvals.decide(told[0]!.id, { decision: "allow" });
    const outcome = await running;
    expect(outcome).toMatchObject({ status: "completed", stdout: "ordered\n" });
    expect(outcome.toolCalls[1]).toMatchObject({ status: "completed", reached: true, approval: "allowed" });
    expect(told[0]).toMatchObject({
      kind: "rule",
      tool: "shop_tools.place-order",
      effect: "write",
      args: { item: "tea", token: "[redacted: secret]" },
      reason: "orders cost money",
      owner: "ada",
      cell: 1,
      line: 3,
      callsSoFar: 1,
      asksSoFar: 0,
    });
    expect(told[0]!.code).toContain("tools.shop.place_order(item='tea'");
    expect(told[0]!.code).not.toContain("s3cret-of-ours");
    expect(ran.at(-1)).toContain("s3cret-of-ours");
  });

  it("is refused at once where nobody can decide, with a code of its own [A4]", async () => {
    const { session, ran } = start();
    const outcome = await session.run(attempts(order("tea")));
    expect(outcome.value).toEqual([["approval/no-decider", expect.stringContaining("orders cost money")]]);
    expect(outcome.toolCalls).toMatchObject([{ status: "refused", reached: false, approval: "none" }]);
    expect(ran).toEqual([]);
  });

  it("is denied with a reason that the cell sees as a typed error", async () => {
    const { session, ran } = start({
      ...askWrites,
      approval: { decide: () => ({ decision: "deny", reason: "the budget is spent" }) },
    });
    const code = `from artificer_tools import ToolError\ntry:\n    ${order("tea")}\nexcept ToolError as error:\n    told = [error.code, error.message]\ntold`;
    expect((await session.run(code)).value).toEqual([
      "approval/denied",
      expect.stringContaining("the budget is spent"),
    ]);
    expect(ran).toEqual([]);
  });

  it("may be allowed for the session: the tool, or these arguments alone", async () => {
    const asked: unknown[] = [];
    const answers: ApprovalDecision[] = [
      { decision: "allow", scope: "session", match: "arguments" },
      { decision: "allow", scope: "session" },
    ];
    const { session, ran } = start({
      ...askWrites,
      approval: {
        decide: (request) => {
          asked.push((request.args as { item: string }).item);
          return answers.shift() ?? { decision: "deny" };
        },
      },
    });
    const outcome = await session.run(attempts(order("tea"), order("tea"), order("milk"), order("rum")));
    expect(outcome.value).toEqual(["ordered", "ordered", "ordered", "ordered"]);
    expect(asked).toEqual(["tea", "milk"]);
    expect(ran).toHaveLength(4);
  });

  it("may be allowed for good, for this owner and nobody else", async () => {
    const storage = createMemoryStorage();
    const decide = vi.fn((): ApprovalDecision => ({ decision: "allow", scope: "always" }));
    const first = start({ ...askWrites, approval: { decide } }, { storage, owner: "ada" });
    await first.session.run(order("tea"));
    const again = start(askWrites, { storage, owner: "ada" });
    expect((await again.session.run(attempts(order("tea")))).value).toEqual(["ordered"]);
    const other = start(askWrites, { storage, owner: "bob" });
    expect((await other.session.run(attempts(order("tea")))).value).toEqual([
      ["approval/no-decider", expect.anything()],
    ]);
    expect(decide).toHaveBeenCalledTimes(1);
  });

  it("may have its arguments edited: checked again, forbidden ones refused, and what was left as it was shown is put back", async () => {
    const { session, ran } = start(
      { rules: [{ action: "deny", tool: "*order", args: { item: "gold" } }, ...askWrites.rules!] },
      { secrets: ["s3cret-of-ours"] },
    );
    session.approvals.onRequest(() => {});
    const running = session.run(order("tea"));
    await until(session, 1);
    const [request] = session.approvals.list();
    const edit = (change: Record<string, unknown>) => () =>
      session.approvals.decide(request!.id, { decision: "allow", args: { ...(request!.args as object), ...change } });
    expect(edit({ item: 7 })).toThrow(expect.objectContaining({ code: "tool/invalid-argument" }));
    expect(edit({ itm: "x" })).toThrow(expect.objectContaining({ code: "tool/unknown-argument" }));
    expect(edit({ item: "gold" })).toThrow(expect.objectContaining({ code: "approval/invalid-decision" }));
    expect(session.approvals.list()).toHaveLength(1);
    edit({ item: "milk" })();
    const outcome = await running;
    expect(outcome.toolCalls).toMatchObject([{ status: "completed", approval: "edited" }]);
    expect(ran).toEqual([`order ${JSON.stringify({ item: "milk", express: true, token: "s3cret-of-ours" })}`]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no network"))],
    ["edits against the schema", () => ({ decision: "allow", args: { item: 7 } }) as const],
    ["answers nonsense", () => ({ decision: "alow" }) as never],
    ["answers what only somebody elsewhere could", () => ({ decision: "answer", result: 1 }) as const],
  ])("is refused, not let through, when the decider %s", async (_what, decide) => {
    const { session, ran } = start({ ...askWrites, approval: { decide } });
    expect((await session.run(attempts(order("tea")))).value).toEqual([["approval/failed", expect.any(String)]]);
    expect(ran).toEqual([]);
  });

  it("times out by its own bound when the decider hangs, whatever the clock on the wall does", async () => {
    const { session } = start({ ...askWrites, approval: { decide: () => new Promise(() => {}), timeoutMs: 2000 } });
    const running = session.run(attempts(order("tea")), { timeoutMs: 60_000 });
    await until(session, 1);
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 86_400_000);
    try {
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(session.approvals.list()).toHaveLength(1);
      expect((await running).value).toEqual([["approval/timed-out", expect.stringContaining("2 s")]]);
    } finally {
      now.mockRestore();
    }
    expect(session.approvals.list()).toEqual([]);
  });

  it("of two who decide at once has one that counts; the other is told", async () => {
    const { session, ran } = start();
    session.approvals.onRequest(() => {});
    const running = session.run(attempts(order("tea")));
    await until(session, 1);
    const { id } = session.approvals.list()[0]!;
    session.approvals.decide(id, { decision: "deny", reason: "no" });
    expect(() => session.approvals.decide(id, { decision: "allow" })).toThrow(
      expect.objectContaining({ code: "approval/not-pending", message: expect.stringContaining("denied") }),
    );
    expect(() => session.approvals.decide("nonsense", { decision: "allow" })).toThrow(
      expect.objectContaining({ code: "approval/not-pending" }),
    );
    expect((await running).value).toEqual([["approval/denied", expect.anything()]]);
    expect(ran).toEqual([]);
  });

  it("may be one of several that wait, each decided by itself and in any order; a flood is refused beyond the bound", async () => {
    const { session, ran } = start({ ...askWrites, approval: { maxPending: 3 } });
    session.approvals.onRequest(() => {});
    const running = session.run(
      "import asyncio\nasync def one(n):\n    try: return await shop.place_order(item=str(n))\n    except Exception as error: return error.code\nawait asyncio.gather(*(one(n) for n in range(10)))",
    );
    await until(session, 3);
    const waiting = session.approvals.list();
    session.approvals.decide(waiting[2]!.id, { decision: "allow" });
    session.approvals.decide(waiting[0]!.id, { decision: "deny" });
    session.approvals.decide(waiting[1]!.id, { decision: "allow" });
    const value = (await running).value as string[];
    expect(value.filter((each) => each === "approval/too-many")).toHaveLength(7);
    expect(value.slice(0, 3)).toEqual(["approval/denied", "ordered", "ordered"]);
    expect(ran).toHaveLength(2);
  });

  it("is withdrawn when its cell is stopped, and when the session closes; then nobody can decide it any more", async () => {
    const { session, ran } = start();
    const settled: string[] = [];
    session.approvals.onRequest(() => {});
    session.approvals.onSettled((_request, how) => settled.push(how));
    const stop = new AbortController();
    const running = session.run(`kept = 1\n${order("tea")}`, { signal: stop.signal });
    await until(session, 1);
    const { id } = session.approvals.list()[0]!;
    stop.abort();
    expect(await running).toMatchObject({
      status: "interrupted",
      state: { variables: "kept" },
      toolCalls: [{ status: "cancelled", reached: false }],
    });
    expect(() => session.approvals.decide(id, { decision: "allow" })).toThrow(
      expect.objectContaining({ code: "approval/not-pending" }),
    );
    const closing = session.run(order("tea"));
    await until(session, 1);
    await session.close();
    expect((await closing).status).not.toBe("completed");
    expect(settled).toEqual(["withdrawn", "withdrawn"]);
    expect(ran).toEqual([]);
  });

  it("from a sub-agent reaches whoever decides for its parent", async () => {
    const { session, ran } = start();
    const child = openShop({ parent: session });
    open.unshift(child.session);
    session.approvals.onRequest(({ id }) => session.approvals.decide(id, { decision: "allow" }));
    expect((await child.session.run(order("tea"))).status).toBe("completed");
    expect([...ran, ...child.ran]).toHaveLength(1);
  });
});

describe("a tool that says that it needs a person [A4] [Y3-29]", () => {
  it("is refused where nobody can decide, without any policy", async () => {
    const { session, ran } = openShop();
    open.push(session);
    const outcome = await session.run(
      attempts("tools.shop.confirm(what='x')", "tools.shop.address(item='tea')", "tools.shop.elsewhere(job='x')"),
    );
    expect((outcome.value as string[][]).map(([code]) => code)).toEqual(Array(3).fill("approval/no-decider"));
    expect(ran).toEqual([]);
  });

  it("runs once it is confirmed, once what it lacks was filled in, or gives what somebody elsewhere answers", async () => {
    const { session, ran } = start({}, {});
    const refused: unknown[] = [];
    session.approvals.onRequest((request) => {
      const decide = (decision: ApprovalDecision) => session.approvals.decide(request.id, decision);
      const tried = (decision: ApprovalDecision) => {
        try {
          decide(decision);
        } catch (error) {
          refused.push((error as { code: string }).code);
        }
      };
      if (request.kind === "confirmation") decide({ decision: "allow" });
      if (request.kind === "input") {
        tried({ decision: "allow" });
        decide({ decision: "allow", args: { ...(request.args as object), street: "Main St" } });
      }
      if (request.kind === "external") {
        tried({ decision: "allow" });
        tried({ decision: "answer", result: { ticket: "seven" } });
        decide({ decision: "answer", result: { ticket: 7 } });
      }
    });
    const outcome = await session.run(
      attempts("tools.shop.confirm(what='x')", "tools.shop.address(item='tea')", "tools.shop.elsewhere(job='x')"),
    );
    expect(outcome.value).toEqual(["done", "tea to Main St", { ticket: 7 }]);
    expect(refused).toEqual(Array(3).fill("approval/invalid-decision"));
    expect(ran).toEqual(["confirmed x", "send tea to Main St"]);
    expect(outcome.toolCalls.map(({ approval, reached }) => [approval, reached])).toEqual([
      ["allowed", true],
      ["edited", true],
      ["answered", false],
    ]);
  });
});

describe("the journal [A3]", () => {
  it("has each call as it ends, while its cell still waits, and what people decided", async () => {
    const storage = createMemoryStorage();
    const { session } = start(askWrites, { storage, id: "kept" });
    session.approvals.onRequest(() => {});
    const running = session.run(`tools.shop.price(item='a')\n${attempts(order("tea"))}`);
    await until(session, 1);
    const written = async () =>
      (await storage.records.list("journal/kept/")).items
        .flatMap(({ value }) => value.entries as { kind: string; data: { tool?: string; approval?: string } }[])
        .filter(({ kind }) => kind === "tool-call")
        .map(({ data }) => [data.tool, data.approval]);
    await expect.poll(async () => (await written()).length).toBe(1);
    session.approvals.decide(session.approvals.list()[0]!.id, { decision: "deny" });
    await running;
    await expect.poll(async () => (await written()).length).toBe(2);
    expect(await written()).toEqual([
      ["shop_tools.price", undefined],
      ["shop_tools.place-order", "denied"],
    ]);
  });
});

describe("a whole cell that is asked about [X8-4]", () => {
  it("runs when it is approved: once, for the session, or for good", async () => {
    const storage = createMemoryStorage();
    const scopes = ["once", "always", "session"] as const;
    const asked: (string | undefined)[] = [];
    const { session } = start(
      {
        cells: "ask",
        approval: { decide: ({ code }) => ({ decision: "allow", scope: scopes[asked.push(code) - 1]! }) },
      },
      { storage },
    );
    for (const code of ["1", "1", "1", "2", "3"]) expect((await session.run(code)).status).toBe("completed");
    expect(asked).toEqual(["1", "1", "2"]);
    const later = start({ cells: "ask" }, { storage });
    expect((await later.session.run("1")).status).toBe("completed");
    expect(await later.session.run("2")).toMatchObject({ status: "refused", error: { code: "approval/no-decider" } });
  });

  it("never starts when it is denied, and cells behind it keep their order", async () => {
    const { session } = start({ cells: "ask" });
    session.approvals.onRequest(({ id, code }) =>
      setTimeout(
        () => session.approvals.decide(id, code === "a = 1" ? { decision: "deny" } : { decision: "allow" }),
        20,
      ),
    );
    const [denied, next] = await Promise.all([session.run("a = 1"), session.run("'a' in globals()")]);
    expect(denied).toMatchObject({ status: "refused", error: { code: "approval/denied" }, generation: 0 });
    expect(next.value).toBe(false);
  });
});
