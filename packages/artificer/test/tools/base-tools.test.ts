import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/doctor/index.js";
import { Session } from "../../src/index.js";
import { createSecretResolver } from "../../src/tools/index.js";
import { useTempFolder } from "../session/temp-folder.js";

const temp = useTempFolder();

/** A server of one tool, in the few lines that the protocol takes. */
const server = `
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === "initialize"
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tiny", version: "1" } }
        : method === "tools/list"
          ? { tools: [{ name: "greet", description: "Greet", inputSchema: { type: "object", properties: { name: { type: "string" } } } }] }
          : { content: [{ type: "text", text: "hello " + params.arguments.name + " " + (process.env.GREETING ?? "") }] };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  }
});
`;

async function base(files: Record<string, string>): Promise<string> {
  const folder = await temp();
  await mkdir(join(folder, "tools"));
  for (const [path, content] of Object.entries({ "config.yaml": "embeddings: {engine: none}\n", ...files }))
    await writeFile(join(folder, path), content);
  return folder;
}

describe("the tools of a base folder", () => {
  it("are command-line programs, MCP servers and HTTP APIs, each by its kind [P2] [P3]", async () => {
    const http = createServer((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ path: request.url, key: request.headers["x-key"] === "k3y-value" }));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    try {
      const folder = await base({
        "config.yaml":
          "embeddings: {engine: none}\nsecrets: {KEY: {file: key.txt}, GREETING: {command: [printf, ciao]}}\n",
        "key.txt": "k3y-value\n",
        "tiny.mjs": server,
        "tools/echo.yaml":
          "name: echo\ncommand: printf\nschema: {positional: [{name: text, required: true}]}\nrecipes: {say: {params: {text: {}}}}\n",
        "tools/shop.yaml": `type: http\nname: shop\nbaseUrl: http://127.0.0.1:${port}\nauth: {type: api-key, name: X-Key, secret: KEY}\nnetwork: {allow: ["127.0.0.1"]}\nendpoints: [{name: get_item, path: "/items/{id}"}]\n`,
      });
      await writeFile(
        join(folder, "tools/tiny.yaml"),
        `type: mcp\nname: tiny\ncommand: ${JSON.stringify(process.execPath)}\nargs: ["tiny.mjs"]\ncwd: ${JSON.stringify(folder)}\nenv: {GREETING: {secret: GREETING}}\n`,
      );
      const mcpServers = { other: { command: process.execPath, args: [join(folder, "tiny.mjs")], icon: "x.png" } };
      await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
      await using session = await Session.fromBase(folder);
      expect(session.problems.filter(({ code }) => code.startsWith("tool/"))).toMatchObject([
        { code: "tool/field-ignored", message: expect.stringContaining("other.icon") },
      ]);
      const outcome = await session.run(
        '[tools.echo.say(text="hi"), tools.tiny.greet(name="you"), tools.other.greet(name="me"), tools.shop.get_item(id="7")]',
      );
      expect(outcome.error).toBeUndefined();
      // A secret that a server gives back is taken out.
      expect(outcome.value).toEqual(["hi", "hello you [redacted]", "hello me ", { path: "/items/7", key: true }]);
      const { checks } = await diagnose({ base: folder });
      expect(checks.find(({ name, status }) => name === "tools" && status === "ok")!.detail).toMatch(
        /echo, shop, tiny, other/,
      );
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });

  it("are not held up by one that is broken, unknown, unreachable or there twice: each is a problem with its file", async () => {
    const folder = await base({
      "config.yaml": "embeddings: {engine: none}\ntoolkits: {workspace: {root: .}}\n",
      "tools/a.yaml": "type: mpc\nname: a\n",
      "tools/b.yaml": "type: mcp\nname: b\ncommand: no-such-program-here\n",
      "tools/c.yaml": "type: http\nname: c\n",
      "tools/d.yaml": "name: workspace\ncommand: printf\n",
      "mcp.json": "{",
    });
    await using session = await Session.fromBase(folder);
    const told = Object.fromEntries(session.problems.map(({ file, code, message }) => [file, { code, message }]));
    expect(told).toMatchObject({
      [join(folder, "tools/a.yaml")]: {
        code: "tool/definition-invalid",
        message: expect.stringContaining("mean `mcp`"),
      },
      [join(folder, "tools/b.yaml")]: { code: "tool/program-missing" },
      [join(folder, "tools/c.yaml")]: { code: "tool/definition-invalid" },
      [join(folder, "tools")]: { code: "tool/duplicate" },
      [join(folder, "mcp.json")]: { code: "tool/definition-invalid" },
    });
    expect((await session.listTools()).map(({ path }) => path)).toContain("workspace.read_file");
  });

  it("follow a server that changes its tools, in a kernel that keeps its variables, and the session tells of it [P2]", async () => {
    const growing = `
const tools = [{ name: "grow", inputSchema: { type: "object" } }];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "growing", version: "1" } } });
    else if (method === "tools/list") send({ id, result: { tools } });
    else {
      if (params.name === "grow") {
        tools.push({ name: "grown", inputSchema: { type: "object" } });
        send({ method: "notifications/tools/list_changed" });
      }
      send({ id, result: { content: [{ type: "text", text: params.name }] } });
    }
  }
});
`;
    const folder = await base({ "growing.mjs": growing });
    const mcpServers = { growing: { command: process.execPath, args: [join(folder, "growing.mjs")] } };
    await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
    await using session = await Session.fromBase(folder);
    expect((await session.run("kept = tools.growing.grow(); kept")).value).toBe("grow");
    // The server is asked for its new tools in its own time.
    await expect.poll(async () => (await session.listTools()).map(({ path }) => path)).toContain("growing.grown");
    const outcome = await session.run("from artificer_tools import grown\n[kept, tools.growing.grown(), grown()]");
    expect(outcome.error).toBeUndefined();
    expect(outcome.value).toEqual(["grow", "grown", "grown"]);
    expect(session.problems).toContainEqual(
      expect.objectContaining({ code: "tool/description-changed", message: expect.stringContaining("+grown") }),
    );
  });

  it("are refused with the nearest key when config.yaml names a toolkit's key wrongly [M11]", async () => {
    for (const [text, nearest] of [
      ["toolkits: {workspaces: {root: .}}", "workspace"],
      ["toolkits: {workspace: {root: ., readonly: true}}", "read_only"],
    ] as const) {
      await expect(Session.fromBase(await base({ "config.yaml": text }))).rejects.toMatchObject({
        code: "config/unknown-key",
        hint: expect.stringContaining(`Did you mean ${nearest}?`),
      });
    }
  });
});

describe("secrets of config.yaml", () => {
  it("come from a variable, a file or a command, and from nowhere else", async () => {
    const folder = await base({ "key.txt": "from-file\n" });
    const resolve = createSecretResolver(
      {
        A: { env: "HOST_A" },
        B: { file: "key.txt" },
        C: { command: [process.execPath, "-e", "console.log(process.hrtime.bigint().toString())"] },
        D: { command: [process.execPath, "-e", "process.exit(1)"] },
      },
      { folder, environment: { HOST_A: "from-env", OTHER: "x" } },
    );
    expect(await resolve("A", { toolkit: "t" })).toBe("from-env");
    expect(await resolve("B", { toolkit: "t" })).toBe("from-file");
    const first = await resolve("C", { toolkit: "t" });
    expect(first).toMatch(/^\d+$/);
    expect(await resolve("C", { toolkit: "t" })).toBe(first);
    await expect(resolve("D", { toolkit: "t" })).rejects.toThrow();
    expect(await resolve("OTHER", { toolkit: "t" })).toBeUndefined();
    expect(await resolve("constructor", { toolkit: "t" })).toBeUndefined();
  });
});
