import { afterEach, describe, expect, it } from "vitest";
import type { PolicyOptions, Session, SessionOptions } from "../../src/index.js";
import { Session as OpenSession } from "../../src/index.js";
import { attempts, openShop } from "./open-shop.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(policy: PolicyOptions, options: SessionOptions = {}) {
  const shop = openShop({ policy, ...options });
  open.unshift(shop.session);
  return shop;
}

describe("a policy's rules", () => {
  it("decide by name, class and default, the first that matches; what is denied never reaches its tool and still counts [A3] [M7]", async () => {
    const { session, ran } = start({
      rules: [
        { action: "deny", tool: "shop_tools.wipe", reason: "the shop is open" },
        { action: "allow", effect: "destructive" },
      ],
      default: { read: "allow", write: "deny" },
    });
    const outcome = await session.run(
      attempts("tools.shop.price(item='tea')", "tools.shop.wipe()", "tools.shop.place_order(item='tea')"),
    );
    expect(outcome.value).toEqual([
      3,
      ["tool/denied", "shop_tools.wipe is not allowed: the shop is open."],
      ["tool/denied", "shop_tools.place-order is not allowed: it is a tool of the class write."],
    ]);
    expect(ran).toEqual(["price tea"]);
    expect(outcome.toolCalls.map(({ tool, status, reached }) => [tool, status, reached])).toEqual([
      ["shop_tools.price", "completed", true],
      ["shop_tools.wipe", "refused", false],
      ["shop_tools.place-order", "refused", false],
    ]);
  });

  it.each([
    ["the tool's own name", "shop_tools.place-order"],
    ["the name that cells use", "shop.place_order"],
    ["the flat name of the scripting form", "place_order"],
    ["other case", "SHOP_TOOLS.Place-Order"],
    ["a pattern", "shop*.place?order"],
  ])("can't be dodged by another name when they restrict: %s", async (_what, tool) => {
    const { session, ran } = start({ rules: [{ action: "deny", tool }] });
    const outcome = await session.run(
      attempts(
        "tools.shop.place_order(item='a')",
        "tools['shop_tools']['place-order'](item='b')",
        "__import__('artificer_tools').place_order(item='c')",
        "tools.shop.price(item='d')",
      ),
    );
    const denied = ["tool/denied", expect.stringContaining("shop_tools.place-order")];
    expect(outcome.value).toEqual([denied, denied, denied, 3]);
    expect(ran).toEqual(["price d"]);
  });

  it("that grant go by exact names: near ones are not let in with them", async () => {
    const { session, ran } = start({ only: ["shop_tools.price", "SHOP_TOOLS.*"], rules: [] });
    const outcome = await session.run(attempts("tools.shop.price(item='a')", "tools.shop.wipe()"));
    expect(outcome.value).toEqual([3, ["tool/denied", expect.stringContaining("not among the tools")]]);
    expect(ran).toEqual(["price a"]);
  });

  it("see nested arguments, every item of lists, and the defaults of what is left out", async () => {
    const { session, ran } = start({
      rules: [
        { action: "deny", tool: "shop.place_order", args: { "to.city": { glob: "Gotham*" } } },
        { action: "deny", tool: "shop.place_order", args: { "to.notes.*": { matches: "(?i)free" } } },
        { action: "deny", tool: "shop.place_order", args: { express: true } },
      ],
    });
    const outcome = await session.run(
      attempts(
        "tools.shop.place_order(item='a', express=False, to={'city': 'Gotham City'})",
        "tools.shop.place_order(item='b', express=False, to={'city': 'Bonn', 'notes': ['x', 'for FREE']})",
        "tools.shop.place_order(item='c')",
        "tools.shop.place_order(item='d', express=False, to={'city': 'Bonn', 'notes': ['x']})",
      ),
    );
    expect((outcome.value as [string][]).map((each) => (Array.isArray(each) ? each[0] : each))).toEqual([
      "tool/denied",
      "tool/denied",
      "tool/denied",
      "ordered",
    ]);
    expect(ran).toHaveLength(1);
  });

  it("of a sub-agent's session are its parent's too: it may be stricter, never milder, and rules may speak of sub-agents", async () => {
    const { session, ran } = start({
      rules: [
        { action: "deny", tool: "shop.wipe" },
        { action: "deny", agent: "sub", effect: "write" },
      ],
    });
    const child = new OpenSession({ parent: session, policy: { rules: [{ action: "allow" }] } });
    open.unshift(child);
    const code = attempts("tools.shop.price(item='a')", "tools.shop.wipe()", "tools.shop.place_order(item='b')");
    const denied = ["tool/denied", expect.any(String)];
    expect((await child.run(code)).value).toEqual([3, denied, denied]);
    expect((await session.run(code)).value).toEqual([3, denied, "ordered"]);
    expect(ran.filter((what) => what.startsWith("order"))).toHaveLength(1);
  });

  it("hold a cell to the trust of the skills that it has loaded, in either language", async () => {
    const { session, ran } = start({
      rules: [{ action: "deny", effect: ["write", "destructive"], skill: ["draft", "stale"] }],
    });
    const source = "def run():\n    return tools.shop.wipe()\n";
    await session.createSkill({ name: "tidy", source, description: "Tidies the shop." });
    expect((await session.run("tools.shop.wipe()")).status).toBe("completed");
    const outcome = await session.run("skills.invoke('tidy')");
    expect(outcome).toMatchObject({ status: "failed", toolCalls: [{ tool: "shop_tools.wipe", status: "refused" }] });
    const crossed = await session.run("await skills.invoke('tidy')", { language: "typescript" });
    expect(crossed.status).toBe("failed");
    expect(ran).toEqual(["wipe"]);
  });

  it("may set effect classes, which listings and stubs then show", async () => {
    const { session } = start({ effects: { "shop.price": "egress" } });
    const outcome = await session.run("[(t['path'], t['effect'], t.get('needs')) for t in tools.list()]");
    expect(outcome.value).toContainEqual(["shop_tools.price", "egress", null]);
    expect(outcome.value).toContainEqual(["shop_tools.confirm", "write", "confirmation"]);
    expect((await session.listTools()).find(({ tool }) => tool === "price")?.definition.effect).toBe("egress");
  });

  it.each([
    [{ rules: [{ action: "forbid" }] }, "policy.rules.0.action", "deny"],
    [{ rules: [{ action: "deny", tol: "x" }] }, "policy.rules.0.tol", "tool"],
    [{ dryrun: true }, "policy.dryrun", "dryRun"],
    [{ rules: [{ action: "deny", args: { a: { matches: "(" } } }] }, "policy.rules.0.args.a", "docs/policy.md"],
    [{ rules: [{ action: "deny", tool: "shop_tools.prize" }] }, "rules.0.tool", "shop_tools.price"],
    [{ cacheMs: { "shop_tools.wipe": 1000 } }, "shop_tools.wipe", "cacheable"],
  ])("are checked whole before any cell runs: %j", (policy, names, hint) => {
    let error: unknown;
    try {
      const { session } = openShop({ policy: policy as PolicyOptions });
      open.push(session);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ message: expect.stringContaining(names), hint: expect.stringContaining(hint) });
  });

  it("that name a toolkit which is not there are told as a problem: it may be back tomorrow", () => {
    const { session } = start({ rules: [{ action: "deny", tool: "warehouse.burn" }] });
    expect(session.problems).toEqual([expect.objectContaining({ code: "policy/unknown-tool" })]);
  });

  it("hold for threads that outlive their cell", async () => {
    const { session, ran } = start({ rules: [{ action: "deny", tool: "shop.wipe" }] });
    await session.run(
      "import threading, time\nseen = []\ndef late():\n    time.sleep(0.3)\n    try: tools.shop.wipe()\n    except Exception as error: seen.append(error.code)\nthreading.Thread(target=late).start()",
    );
    const outcome = await session.run("while not seen: time.sleep(0.05)\nseen");
    expect(outcome.value).toEqual(["tool/denied"]);
    expect(ran).toEqual([]);
  });

  it("tell a tool whose session it works for", async () => {
    const { session, contexts } = start({}, { id: "mine", owner: "ada" });
    await session.run("tools.shop.price(item='a')");
    expect(contexts).toEqual([{ session: "mine", owner: "ada", cell: 1 }]);
  });
});
