import { ArtificerError } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { createToolset } from "../../src/tools/create-toolset.js";
import { callable, contextOf, kit, refusalOf, tool } from "./fixture.js";

/** Resolves when the signal fires, with its reason. */
function fired(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason), { once: true }));
}

describe("finding a tool", () => {
  const toolset = createToolset({
    toolkits: [
      kit("curl", [tool("get", { properties: { url: { type: "string" } }, required: ["url"] }), tool("post")]),
      kit("files", []),
    ],
  });

  it("lists every tool with a path and the way to call it [P3]", () => {
    expect(toolset.list().map(({ path, signature }) => [path, signature])).toEqual([
      ["curl.get", "tools.curl.get(url: str) -> Any"],
      ["curl.post", "tools.curl.post() -> Any"],
    ]);
    expect(toolset.find("curl", "get").signatures.typescript).toBe(
      "tools.curl.get(args: { url: string }): Promise<unknown>",
    );
  });

  it("names the nearest and all others when there is none of that name [P3]", async () => {
    expect(() => toolset.find("crul", "get")).toThrow(expect.objectContaining({ code: "tool/unknown-toolkit" }));
    const unknown = await refusalOf(toolset.call({ toolkit: "crul", tool: "get", args: {} }, contextOf()));
    expect(unknown.details).toMatchObject({ nearest: ["curl"], allowed: ["curl", "files"] });
    const other = await refusalOf(toolset.call({ toolkit: "curl", tool: "gte", args: {} }, contextOf()));
    expect(other).toMatchObject({ code: "tool/unknown-tool" });
    expect(other.details).toMatchObject({ nearest: ["get"], allowed: ["get", "post"] });
    expect((await refusalOf(toolset.call({ toolkit: "constructor", tool: "x", args: {} }, contextOf()))).code).toBe(
      "tool/unknown-toolkit",
    );
  });

  it("refuses two toolkits, or two tools of one, of the same name", () => {
    expect(() => createToolset({ toolkits: [kit("a", []), kit("a", [])] })).toThrow(
      expect.objectContaining({ code: "tool/duplicate" }),
    );
    expect(() => createToolset({ toolkits: [kit("a", [tool("x"), tool("x")])] })).toThrow(
      expect.objectContaining({ code: "tool/duplicate" }),
    );
  });

  it("lists a tool that can't work here with the reason, asked for anew each time", () => {
    let missing = true;
    const definition = {
      ...tool("x"),
      get unavailable() {
        return missing ? { reason: "not installed", hint: "install it" } : undefined;
      },
    };
    const listing = createToolset({ toolkits: [kit("k", [definition])] });
    expect(listing.list()[0]?.unavailable).toEqual({ reason: "not installed", hint: "install it" });
    missing = false;
    expect(listing.list()[0]).not.toHaveProperty("unavailable");
  });
});

describe("calling a tool", () => {
  it("passes the very arguments and returns the very result, and tells that the tool was reached", async () => {
    const args = { a: { b: [1] } };
    const result = { r: 1 };
    let reached = 0;
    const call = callable({ properties: { a: {} } }, async (_name, given) => (given === args ? result : undefined));
    expect(await call(args, { ...contextOf(), onReached: () => reached++ })).toBe(result);
    expect(reached).toBe(1);
  });

  it("does not reach the tool with arguments that are refused, nor when the caller has already withdrawn", async () => {
    let reached = 0;
    const call = callable({ properties: {} }, async () => "called");
    const onReached = () => reached++;
    await refusalOf(call({ no: 1 }, { ...contextOf(), onReached }));
    expect((await refusalOf(call({}, { ...contextOf(AbortSignal.abort()), onReached }))).code).toBe("tool/cancelled");
    expect(reached).toBe(0);
  });

  it("turns whatever a tool throws into tool/failed with its message and never a stack", async () => {
    const failing = (thrown: unknown) => refusalOf(callable({}, () => Promise.reject(thrown))({}));
    const error = await failing(new TypeError("no such row"));
    expect(error.toJSON()).toEqual({
      code: "tool/failed",
      message: "k.t failed: no such row",
      details: { tool: "k.t", reason: "no such row", type: "TypeError" },
    });
    expect((await failing("a string")).message).toBe("k.t failed: a string");
    expect((await failing(undefined)).code).toBe("tool/failed");
    expect((await failing(Object.create(null))).message).toContain("can't be shown");
    expect((await failing(new Error("x".repeat(100_000)))).message.length).toBeLessThan(5000);
    const storage = new ArtificerError("storage/full", "the disk is full", { hint: "delete something" });
    expect((await failing(storage)).toJSON()).toMatchObject({
      code: "tool/failed",
      hint: "delete something",
      details: { code: "storage/full" },
    });
  });

  it("lets a tool's own errors pass as they are, and takes one thrown at once like one rejected with", async () => {
    const own = new ArtificerError("tool/exit-code", "ended with 3");
    expect(await refusalOf(callable({}, () => Promise.reject(own))({}))).toBe(own);
    const throwing = callable({}, () => {
      throw new Error("at once");
    });
    expect((await refusalOf(throwing({}))).message).toBe("k.t failed: at once");
  });

  it("lets parallel calls overlap [P2]", async () => {
    let arrived = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = callable({}, async () => {
      arrived += 1;
      if (arrived === 100) open();
      await gate;
    });
    await Promise.all(Array.from({ length: 100 }, () => call({})));
    expect(arrived).toBe(100);
  });
});

describe("the end of a call", () => {
  it("comes when the tool's own time is up: the tool's signal fires, and what it then says goes into the details", async () => {
    let reason: unknown;
    const call = callable(
      {},
      async (_name, _args, { signal }) => {
        reason = await fired(signal);
        throw new ArtificerError("tool/cancelled", "ended", { details: { stdout: "partial" } });
      },
      { definition: { timeoutMs: 20 } },
    );
    const error = await refusalOf(call({}));
    expect(error.code).toBe("tool/timed-out");
    expect(error.details).toMatchObject({ tool: "k.t", timeoutMs: 20, stdout: "partial" });
    expect(ArtificerError.is(reason, "tool/timed-out")).toBe(true);
  });

  it("comes also for a tool that never looks at its signal", async () => {
    const call = callable({}, () => new Promise(() => {}), { limits: { timeoutMs: 20, settleMs: 20 } });
    expect((await refusalOf(call({}))).code).toBe("tool/timed-out");
  });

  it("is told to a tool that asks for its signal only afterwards", async () => {
    let aborted: boolean | undefined;
    let looked = () => {};
    const done = new Promise<void>((resolve) => {
      looked = resolve;
    });
    const call = callable(
      {},
      async (_name, _args, context) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        aborted = context.signal.aborted;
        looked();
      },
      { limits: { timeoutMs: 10, settleMs: 10 } },
    );
    await refusalOf(call({}));
    await done;
    expect(aborted).toBe(true);
  });

  it("comes when the caller withdraws, whose reason the tool sees untouched", async () => {
    const caller = new AbortController();
    let reason: unknown;
    const call = callable({}, async (_name, _args, { signal }) => {
      queueMicrotask(() => caller.abort("the cell was interrupted"));
      reason = await fired(signal);
      return "too late";
    });
    const error = await refusalOf(call({}, contextOf(caller.signal)));
    expect(error.code).toBe("tool/cancelled");
    expect(reason).toBe("the cell was interrupted");
  });

  it("is the first cause, whatever comes after it", async () => {
    const caller = new AbortController();
    const call = callable(
      {},
      async (_name, _args, { signal }) => {
        await fired(signal);
        caller.abort();
        return "done all the same";
      },
      { definition: { timeoutMs: 10 } },
    );
    expect((await refusalOf(call({}, contextOf(caller.signal)))).code).toBe("tool/timed-out");
  });

  it("draws no warning for thousands of calls that share one signal, and reaches all of them", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const caller = new AbortController();
    const call = callable({}, (_name, _args, { signal }) => fired(signal));
    const calls = Array.from({ length: 3000 }, () => refusalOf(call({}, contextOf(caller.signal))));
    await new Promise(setImmediate);
    caller.abort();
    const codes = new Set((await Promise.all(calls)).map(({ code }) => code));
    await new Promise(setImmediate);
    process.off("warning", onWarning);
    expect([...codes]).toEqual(["tool/cancelled"]);
    expect(warnings).toEqual([]);
  });
});

describe("closing a toolset", () => {
  it("closes every toolkit once, also when one of them fails to, and tells that", async () => {
    const closed: string[] = [];
    const closing = (name: string, fail = false) =>
      kit(name, [], undefined, {
        async close() {
          closed.push(name);
          if (fail) throw new Error("stuck");
        },
      });
    const toolset = createToolset({ toolkits: [closing("a", true), closing("b"), kit("c", [])] });
    await expect(toolset.close()).rejects.toThrow("stuck");
    await expect(toolset.close()).rejects.toThrow("stuck");
    expect(closed).toEqual(["a", "b"]);
  });
});
