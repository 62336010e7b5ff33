// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${VAR}` is what definitions write for a variable of the host.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadMcpServers, readMcpDefinition, readMcpServers } from "../../src/mcp/index.js";
import { callContext, fixtureServer } from "./fixture-server.js";

describe("a definition in YAML", () => {
  it("[P2] is read with its defaults", () => {
    const definition = readMcpDefinition(
      "type: mcp\nname: web\ncommand: npx\nargs: [-y, some-server]\n",
      "tools/web.yaml",
    );
    expect(definition).toMatchObject({
      name: "web",
      start: "lazy",
      startTimeoutMs: 30_000,
      effect: "destructive",
      env: {},
    });
  });

  it.each([
    ["type: mcp\nname: web\ncomand: npx\nurl: http://x\n", 3, /comand/],
    ["type: mcp\nname: web\n", 1, /command/],
    ["type: mcp\nname: web\ncommand: x\nurl: http://x\n", 4, /not both/],
    ["type: mcp\nname: web\ncommand: x\nstartTimeoutMs: soon\n", 4, /startTimeoutMs.*number/],
    ["type: mcp\nname: web\nurl: http://x\ntransport: carrier-pigeon\n", 4, /transport.*stdio/],
    ["type: mcp\nname: web\ntransport: sse\ncommand: x\n", 3, /needs a url/],
    ["type: mcp\nname: [web\ncommand: x\n", 3, /not valid YAML/],
  ])("[P2] that is wrong is refused by source, line and field: %j", (text, line, message) => {
    expect(() => readMcpDefinition(text, "tools/web.yaml")).toThrow(
      expect.objectContaining({
        code: "tool/definition-invalid",
        message: expect.stringMatching(message),
        details: expect.objectContaining({ source: "tools/web.yaml", line }),
      }),
    );
  });

  it("[P2] reads every example of the docs page", async () => {
    const page = await readFile(new URL("../../../../docs/tools-mcp.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(examples.length).toBeGreaterThan(1);
    for (const text of examples) expect(readMcpDefinition(text, "docs/tools-mcp.md").type).toBe("mcp");
    const [, json] = /```json\n([\s\S]*?)```/.exec(page)!;
    expect(readMcpServers(JSON.parse(json!)).definitions.length).toBeGreaterThan(0);
  });
});

describe("the mcpServers JSON of other clients", () => {
  it("[P2] is read, and what only those clients know is told", () => {
    const reading = readMcpServers({
      mcpServers: {
        files: { command: "npx", args: ["-y", "x"], env: { A: "1" }, autoApprove: ["read"], disabled: false },
        web: { type: "streamableHttp", url: "https://example.com/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
        off: { command: "x", disabled: true },
      },
    });
    expect(reading.definitions).toMatchObject([
      { name: "files", command: "npx", env: { A: "1" } },
      { name: "web", transport: "streamable-http", url: "https://example.com/mcp" },
    ]);
    expect(reading.disabled).toEqual(["off"]);
    expect(reading.ignored).toEqual(["files.autoApprove"]);
    expect(readMcpServers({ servers: { a: { command: "x" } } }).definitions).toHaveLength(1);
  });

  it("[P2] that is wrong is refused by server and field", () => {
    const invalid = (message: RegExp) =>
      expect.objectContaining({ code: "tool/definition-invalid", message: expect.stringMatching(message) });
    expect(() => readMcpServers({ mcpServers: { web: { args: [] } } })).toThrow(invalid(/web.*command/));
    expect(() => readMcpServers({ mcpServers: { web: { command: 5 } } })).toThrow(invalid(/web.*command.*string/));
    expect(() => readMcpServers({ tools: {} })).toThrow(invalid(/no mcpServers/));
    expect(() => readMcpServers([])).toThrow(invalid(/mcpServers/));
  });

  it("[P2] opens every server that can be opened and names those that can't", async () => {
    const { command, args } = fixtureServer("prints-noise");
    const load = await loadMcpServers({ mcpServers: { good: { command, args }, bad: { command: "no-such-server" } } });
    try {
      expect(load.failures).toMatchObject([{ name: "bad", error: { code: "tool/program-missing" } }]);
      expect(load.toolkits.map(({ name }) => name)).toEqual(["good"]);
      expect(await load.toolkits[0]!.call("greet", {}, callContext())).toBe("hello");
    } finally {
      await Promise.all(load.toolkits.map((toolkit) => toolkit.close()));
    }
  });
});
