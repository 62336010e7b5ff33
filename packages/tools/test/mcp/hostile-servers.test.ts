import { ArtificerError, encodeValue } from "@artificer/protocol";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { type McpDefinition, type McpToolkit, type McpToolkitOptions, openMcpToolkit } from "../../src/mcp/index.js";
import { callContext, fixtureServer } from "./fixture-server.js";

const opened: McpToolkit[] = [];
const open = async (definition: McpDefinition, options?: McpToolkitOptions) => {
  const toolkit = await openMcpToolkit(definition, options);
  opened.push(toolkit);
  return toolkit;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
});

describe("a server that does not start", () => {
  it("[P2] ends a server that hangs, and says what it said", async () => {
    await expect(open(fixtureServer("hangs-at-start", { startTimeoutMs: 2_000 }))).rejects.toMatchObject({
      code: "tool/timed-out",
      message: expect.stringContaining("fixture"),
      details: { stderr: "still loading the index\n" },
      hint: expect.stringContaining("startTimeoutMs"),
    });
  });

  it("[P2] ends a server that hangs at telling its tools", async () => {
    await expect(open(fixtureServer("hangs-at-listing", { startTimeoutMs: 1_000 }))).rejects.toMatchObject({
      code: "tool/timed-out",
    });
  });

  it("[P2] tells how a server ended and what it said", async () => {
    await expect(open(fixtureServer("exits-at-start"))).rejects.toMatchObject({
      code: "tool/unavailable",
      message: expect.stringMatching(/exit code 3.*no licence found/),
      details: { exitCode: 3 },
    });
  });

  it("[P2] names a program that is not there, and a folder that is not there", async () => {
    await expect(open(fixtureServer("prints-noise", { command: "no-such-server" }))).rejects.toMatchObject({
      code: "tool/program-missing",
      details: { command: "no-such-server" },
    });
    await expect(open(fixtureServer("prints-noise", { cwd: "/no/such/folder" }))).rejects.toMatchObject({
      code: "tool/unavailable",
      details: { cwd: "/no/such/folder" },
    });
  });

  it("[P2] tells when the program is no MCP server at all", async () => {
    const definition = fixtureServer("prints-noise", { args: [], command: process.execPath });
    const plain = { ...definition, args: ["-e", "console.log('usage: tool [options]')"] };
    await expect(open(plain)).rejects.toMatchObject({
      code: "tool/unavailable",
      message: expect.stringContaining("usage: tool [options]"),
    });
  });
});

describe("a server that misbehaves", () => {
  it("[P2] survives noise on stdout", async () => {
    const toolkit = await open(fixtureServer("prints-noise"));
    expect(await toolkit.call("greet", {}, callContext())).toBe("hello");
    expect(await toolkit.call("greet", {}, callContext())).toBe("hello");
  });

  it("[P2] refuses answers that are none, at once", async () => {
    const toolkit = await open(fixtureServer("answers-garbage"));
    for (const tool of ["no_result", "wrong_result"]) {
      await expect(toolkit.call(tool, {}, callContext())).rejects.toMatchObject({
        code: "tool/output-unparsable",
        details: { toolkit: "fixture" },
      });
    }
  });

  it("[P2] tells a death in mid-call, and starts the server again at the next", async () => {
    const toolkit = await open(fixtureServer("dies-in-mid-call"));
    const first = await toolkit.call("pid", {}, callContext());
    await expect(toolkit.call("die", {}, callContext())).rejects.toMatchObject({
      code: "tool/crashed",
      message: expect.stringMatching(/exit code 7.*die.*not known/),
      details: { exitCode: 7, stderr: "out of luck\n" },
    });
    const second = await toolkit.call("pid", {}, callContext());
    expect(second).not.toBe(first);
  });

  it("[P2] fails every call under way when the server dies, and starts one server for the calls that follow", async () => {
    const toolkit = await open(fixtureServer("dies-in-mid-call"));
    const deaths = await Promise.allSettled(["die", "die"].map((tool) => toolkit.call(tool, {}, callContext())));
    for (const death of deaths) expect(death).toMatchObject({ reason: { code: "tool/crashed" } });
    const pids = await Promise.all([1, 2, 3].map(() => toolkit.call("pid", {}, callContext())));
    expect(new Set(pids).size).toBe(1);
  });

  it("[P2] refuses a huge result and keeps the connection", async () => {
    const toolkit = await open(fixtureServer("sends-huge-results", { maxResultBytes: 100_000 }));
    await expect(toolkit.call("bytes", { count: 200_000 }, callContext())).rejects.toMatchObject({
      code: "tool/result-too-large",
      details: { maxBytes: 100_000, tool: "bytes" },
    });
    expect(await toolkit.call("bytes", { count: 90_000 }, callContext())).toHaveLength(90_000);
  });

  it("[P2] ends a server whose message never ends", async () => {
    const toolkit = await open(fixtureServer("sends-huge-results", { maxResultBytes: 100_000 }));
    await expect(toolkit.call("endless", {}, callContext())).rejects.toMatchObject({ code: "tool/result-too-large" });
    expect(await toolkit.call("bytes", { count: 3 }, callContext())).toBe("xxx");
  });

  it("[P2] keeps names apart: of repeated tools the first, and its own companions under free names", async () => {
    const warnings: string[] = [];
    const toolkit = await open(fixtureServer("repeats-names"), { onWarning: (message) => warnings.push(message) });
    const names = toolkit.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual([
      ...["find", "list-resources", "get_prompt", "mcp_get_prompt", "mcp_list_resources"],
      ...["list_resource_templates", "read_resource", "list_prompts", "mcp_get_prompt_2"],
    ]);
    expect(toolkit.tools[0]?.description).toBe("first");
    expect(warnings).toEqual([expect.stringContaining("several tools named find")]);
    expect(await toolkit.call("list-resources", {}, callContext())).toBe("own list-resources");
    expect(await toolkit.call("mcp_list_resources", {}, callContext())).toEqual([{ uri: "note://1", name: "one" }]);
    expect(await toolkit.call("read_resource", { uri: "note://1" }, callContext())).toBe("the note");
    expect(await toolkit.call("mcp_get_prompt_2", { name: "x" }, callContext())).toMatchObject({
      messages: [{ role: "user", content: "say it" }],
    });
  });

  it("[P2] outlives a flood of notifications", async () => {
    const toolkit = await open(fixtureServer("floods-with-notifications"));
    expect(await toolkit.call("flood", { count: 20_000 }, callContext())).toBe("20000");
  });

  it("[P2] reads descriptions however odd, and holds a server to its word", async () => {
    const toolkit = await open(fixtureServer("describes-badly", { effect: "write" }));
    expect(toolkit.tools.map(({ name, effect }) => [name, effect])).toEqual([
      ["constructor", "write"],
      ["breaks_its_word", "write"],
    ]);
    for (const tool of ["constructor", "breaks_its_word"]) {
      await expect(toolkit.call(tool, {}, callContext())).rejects.toMatchObject({ code: "tool/output-unparsable" });
    }
  });

  it("[P2] lets no server pass off a reference of the host", async () => {
    const toolkit = await open(fixtureServer("answers-as-told"));
    const forged = { $type: "reference", id: "v1", type: "x", bytes: 1, head: "", tail: "" };
    const result = { content: [], structuredContent: { inner: forged } };
    const value = await toolkit.call("reads", { result }, callContext());
    expect(JSON.stringify(encodeValue(value).json)).not.toContain('"$":"reference"');
  });
});

describe("what a server starts", () => {
  it("[P2] ends with the toolkit, children that ignore SIGTERM included", async () => {
    const toolkit = await open(fixtureServer("leaves-children"));
    const { server, child } = (await toolkit.call("pids", {}, callContext())) as { server: number; child: number };
    expect([isRunning(server), isRunning(child)]).toEqual([true, true]);
    await toolkit.close();
    await expect.poll(() => [isRunning(server), isRunning(child)]).toEqual([false, false]);
    await expect(toolkit.call("pids", {}, callContext())).rejects.toMatchObject({ code: "tool/unavailable" });
  });

  it("[P2] ends with the server when it crashes", async () => {
    const toolkit = await open(fixtureServer("leaves-children"));
    const { child } = (await toolkit.call("pids", {}, callContext())) as { child: number };
    await expect(toolkit.call("die", {}, callContext())).rejects.toMatchObject({ code: "tool/crashed" });
    await expect.poll(() => isRunning(child)).toBe(false);
  });
});

describe("a call given up", () => {
  it("[P2] is cancelled at the server, with the caller's own reason", async () => {
    const toolkit = await open(fixtureServer("works-slowly"));
    const controller = new AbortController();
    const call = toolkit.call("never", {}, callContext({ signal: controller.signal }));
    const reason = new ArtificerError("tool/timed-out", "the cell's clock");
    const refusal = expect(call).rejects.toBe(reason);
    await expect.poll(() => toolkit.call("asked", {}, callContext())).toBe("1");
    controller.abort(reason);
    await refusal;
    await expect.poll(() => toolkit.call("cancelled", {}, callContext())).toBe("1");
  });

  it("[P2] is not sent at all when it was given up before", async () => {
    const toolkit = await open(fixtureServer("works-slowly"));
    const call = toolkit.call("work", {}, callContext({ signal: AbortSignal.abort() }));
    await expect(call).rejects.toMatchObject({ code: "tool/cancelled" });
  });

  it("[P2] times out by the definition's own bound", async () => {
    const toolkit = await open(fixtureServer("works-slowly", { timeoutMs: 100 }));
    await expect(toolkit.call("never", {}, callContext())).rejects.toMatchObject({ code: "tool/timed-out" });
    expect(toolkit.tools.every(({ timeoutMs }) => timeoutMs === 100)).toBe(true);
  });

  it("[P2] tells progress to the call's context, or else to the host", async () => {
    const host: unknown[] = [];
    const toolkit = await open(fixtureServer("works-slowly"), { onProgress: (progress) => host.push(progress) });
    const own: unknown[] = [];
    await toolkit.call("work", {}, callContext({ onProgress: (progress) => own.push(progress) }));
    expect(own).toEqual([1, 2].map((progress) => ({ progress, total: 2, message: "step" })));
    expect(host).toEqual([]);
    await toolkit.call("work", {}, callContext());
    expect(host).toContainEqual({ toolkit: "fixture", tool: "work", progress: 2, total: 2, message: "step" });
  });
});
