import type { Bindings } from "@artificer/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type HostRequest, ScriptedHost } from "../scripted-host.js";

const parameter = (name: string, identifier = name) => ({
  name,
  identifier,
  required: true,
  type: "string",
  description: "",
});
const tool = (name: string, ...names: string[]) => ({
  name,
  identifier: name.replace(/\W/g, "_"),
  flat: name.replace(/\W/g, "_"),
  description: `Does ${name}.`,
  parameters: names.map((one) => parameter(one, one.replace(/\W/g, "_"))),
  returns: "string",
  open: false,
});
const bindings: Bindings = {
  toolkits: [
    {
      name: "web",
      identifier: "web",
      global: "web",
      description: "",
      tools: [tool("search", "query"), tool("fetch-page", "page-url")],
    },
    { name: "my-kit", identifier: "my_kit", description: "", tools: [tool("fail"), tool("slow")] },
  ],
};

const requests: HostRequest[] = [];
/** Slow calls are answered once there are so many of them. */
let together = 1;
const inFlight: (() => void)[] = [];

async function answer(request: HostRequest): Promise<unknown> {
  requests.push(request);
  const { method, params } = request;
  if (method !== "tools.call") return { method, params };
  if (params.tool === "fail") {
    throw Object.assign(new Error("The tool failed."), {
      code: "tool/failed",
      hint: "Try again.",
      details: { field: "x" },
    });
  }
  if (params.tool === "slow") {
    await new Promise<void>((resolve) => {
      inFlight.push(resolve);
      if (inFlight.length >= together) for (const answer of inFlight.splice(0)) answer();
    });
  }
  return params;
}

let host: ScriptedHost;
beforeAll(async () => {
  host = await ScriptedHost.open({ bindings, answer });
});
afterAll(() => host.close());
beforeEach(() => {
  requests.length = 0;
});

describe("tools", () => {
  test("a call sends original names and belongs to its cell", async () => {
    const { value, unawaited } = await host.cell('await tools.web.search({ query: "x" })');
    expect(value).toEqual({ toolkit: "web", tool: "search", args: { query: "x" } });
    expect(unawaited).toEqual([]);
    expect(requests[0]!.cell).toBe(1);
  });

  test("identifiers, original names, the toolkit's own name and the module all reach the tool", async () => {
    const { value } = await host.cell(`
      import { fetch_page, search } from "artificer:tools";
      const called = [await tools.web.fetch_page({ page_url: "u" }), await tools["web"]["fetch-page"]({ "page-url": "u" }),
        await web.fetch_page({ page_url: "u" }), await fetch_page({ page_url: "u" })];
      called.every((one) => one.tool === "fetch-page" && one.args["page-url"] === "u")`);
    expect(value).toBe(true);
    expect((await host.cell('(await tools["my-kit"].slow()).toolkit')).value).toBe("my-kit");
    expect(
      (await host.cell('const { search: s } = await import("artificer:tools"); (await s({ query: "1" })).tool')).value,
    ).toBe("search");
  });

  test("calls really overlap", async () => {
    together = 20;
    const { status } = await host.cell("await Promise.all(Array.from({ length: 20 }, () => tools.my_kit.slow()))");
    together = 1;
    expect(status).toBe("completed");
  });

  test("a failed call is an error with class, code, details, hint, and the caller's line", async () => {
    const { value } = await host.cell(
      "try { await tools.my_kit.fail() } catch (e) { return [e instanceof ToolError, e instanceof ArtificerError, e.name, e.code, e.details, e.hint] }",
    );
    expect(value).toEqual([true, true, "ToolError", "tool/failed", { field: "x" }, "Try again."]);
    const { error } = await host.cell("\n\nawait tools.my_kit.fail()");
    expect(error).toMatchObject({
      type: "ToolError",
      code: "tool/failed",
      line: 3,
      message: "The tool failed. Try again.",
    });
    expect(error!.traceback).toMatch(/^ToolError: The tool failed\. Try again\.\n {4}at cell \d+:3:20 \{/);
  });

  test("calls that nobody awaits are told by name", async () => {
    const { unawaited } = await host.cell(
      "tools.web.search({ query: 'a' }); const p = tools.my_kit.slow(); await p; void tools.web.search({ query: 'b' })",
    );
    expect(unawaited).toEqual(["web.search", "web.search"]);
    expect(
      (await host.cell("const all = await Promise.all([tools.web.search({ query: 'a' })]); all.length")).unawaited,
    ).toEqual([]);
  });

  test("unknown names answer with the nearest, and never with undefined", async () => {
    expect((await host.cell("tools.wbe.search()")).error).toMatchObject({
      type: "ToolError",
      code: "tool/unknown-toolkit",
      message: expect.stringMatching(/^There is no toolkit "wbe"\. Did you mean web\? There are: /),
    });
    expect((await host.cell("await tools.web.serach({})")).error).toMatchObject({
      code: "tool/unknown-tool",
      message: expect.stringContaining("search"),
    });
  });

  test("importing a tool that is not there names the nearest and all there are [X2-15]", async () => {
    const { error } = await host.cell('const a = 1;\nimport { serch } from "artificer:tools"; serch');
    expect(error).toMatchObject({ code: "tool/unknown-tool", message: expect.stringContaining('"serch"'), line: 2 });
    expect(error?.traceback).toMatch(/Did you mean search\? There are: .*fetch_page/);
  });

  test("arguments that are no object are refused before anything is sent", async () => {
    const { error } = await host.cell('await tools.web.search("x")');
    expect(error).toMatchObject({ code: "tool/invalid-argument", message: expect.stringContaining("{ query }") });
    expect(requests).toEqual([]);
    expect((await host.cell("await tools.web.search({ query: () => 1 })")).error?.code).toBe("value/not-encodable");
  });

  test("list and search ask the host; a handle shows its signature", async () => {
    await host.cell("await tools.list(); await tools.search('pages', 3)");
    expect(requests.map(({ method, params }) => [method, params])).toEqual([
      ["tools.list", {}],
      ["tools.search", { query: "pages", limit: 3 }],
    ]);
    expect((await host.cell("tools.web.search")).repr).toBe(
      "tools.web.search({ query: string }): Promise<string>\n  Does search.",
    );
  });

  test("a cell may take the names for itself, and binding again leaves them to it", async () => {
    await using own = await ScriptedHost.open({ bindings, answer });
    expect((await own.cell("tools = 5; tools")).value).toBe(5);
    expect(
      (await own.cell('import { search } from "artificer:tools"; (await search({ query: "q" })).tool')).value,
    ).toBe("search");
    await own.request("kernel.bind", {
      bindings: {
        toolkits: [{ name: "new", identifier: "new_kit", global: "new_kit", description: "", tools: [tool("go")] }],
      },
    });
    expect((await own.cell("[tools, typeof web, (await new_kit.go()).toolkit]")).value).toEqual([
      5,
      "undefined",
      "new",
    ]);
  });
});

test("[P5] artifacts and deps are requests to the host", async () => {
  await host.cell(`
    await artifacts.save("a/b", new Uint8Array([1]), { contentType: "x/y" }); await artifacts.load("a/b"); await artifacts.get("a/b");
    await artifacts.list("a/"); await artifacts.exists("a/b"); await artifacts.delete("a/b");
    await deps.list(); await deps.add("left-pad@1"); await deps.remove("left-pad"); await deps.sync()`);
  expect(requests.map(({ method, params }) => [method, params])).toEqual([
    ["artifacts.save", { contentType: "x/y", name: "a/b", value: new Uint8Array([1]) }],
    ["artifacts.load", { name: "a/b" }],
    ["artifacts.get", { name: "a/b" }],
    ["artifacts.list", { prefix: "a/" }],
    ["artifacts.exists", { name: "a/b" }],
    ["artifacts.delete", { name: "a/b" }],
    ["deps.list", {}],
    ["deps.add", { spec: "left-pad@1" }],
    ["deps.remove", { spec: "left-pad" }],
    ["deps.sync", {}],
  ]);
});

test("every kind of codec value goes to a tool and back unchanged", async () => {
  const { value } = await host.cell(`
    const sent = { n: null, big: 2n ** 70n, neg0: -0, nan: NaN, inf: -Infinity, date: new Date(5), bytes: new Uint8Array([0, 255]), set: new Set([1, "a"]),
      map: new Map([[1, { x: [1n] }]]), text: "\\u0000é😀", deep: [[[{ a: [true] }]]], "$": "own" };
    const { args } = await tools.web.search(sent);
    require("node:assert").deepStrictEqual(args, sent); "same"`);
  expect(value).toBe("same");
});
