import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolDefinition, Toolkit } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { useTempFolder } from "../session/temp-folder.js";

const temp = useTempFolder();

describe("a base with definitions that can't be used", () => {
  it("opens with those that can, and tells each of the others by file and place [P2]", async () => {
    const folder = await temp();
    await mkdir(join(folder, "tools"));
    const files = {
      "config.yaml": "embeddings: {engine: none}\n",
      "mcp.json": '{"mcpServers": {',
      "tools/a.yaml": "name: a\ncommand: [printf, ok]\n",
      "tools/broken.yaml": "name: [\n",
      "tools/deep.yaml": `name: deep\nschema: ${"[".repeat(5000)}${"]".repeat(5000)}\n`,
      "tools/http.yaml": "type: http\nname: [\n",
      "tools/mcp.yaml": "type: mcp\nname: {a: }}\n",
      "tools/odd.yaml": "type: htpt\nname: odd\n",
      "tools/swagger.yaml": "type: http\nname: swagger\nopenapi: ./swagger.json\n",
      "tools/twice.yaml": "name: a\n",
      "swagger.json": "{",
      "tools/swagger.json": '{"swagger": "2.0", "paths": {}}',
    };
    for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
    await using session = await Session.fromBase(folder);
    expect(await session.run("tools.a.run()")).toMatchObject({ status: "completed", value: "ok" });
    const told = session.problems.map(({ message }) => message);
    for (const part of [
      /broken\.yaml:\d+:\d+/,
      /deep\.yaml/,
      /http\.yaml:\d+:\d+/,
      /mcp\.yaml:\d+:\d+/,
      /mcp\.json: this is no JSON/,
    ])
      expect(told).toContainEqual(expect.stringMatching(part));
    for (const part of [/htpt.*Did you mean `http`/, /Swagger 2\.0/, /twice\.yaml.*already defined/])
      expect(told).toContainEqual(expect.stringMatching(part));
    expect(told).toHaveLength(8);
  });
});

describe("two thousand tools", { timeout: 60_000 }, () => {
  const tools = Array.from(
    { length: 2000 },
    (_, at): ToolDefinition => ({
      name: `tool ${at}`,
      description: `Number ${at} of many`,
      effect: "read",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    }),
  );
  const many: Toolkit = { name: "many", description: "", tools, call: async (tool, { text }) => `${tool} ${text}` };

  it.each([
    [
      "python",
      'len(tools.list()), tools.many.tool_1999(text="x"), tools.catalog(500).split(":")[0], tools.search("1234 of many", limit=1)[0].path',
    ],
    [
      "typescript",
      '[(await tools.list()).length, await tools.many.tool_1999({ text: "x" }), (await tools.catalog(500)).split(":")[0], (await tools.search("1234 of many", 1))[0].path]',
    ],
  ] as const)("are listed, called, told in part and found, in %s [P2] [P3]", async (language, code) => {
    await using session = new Session({ embedder: null, tools: [many] });
    const { value, error } = await session.run(code, { language });
    expect(error).toBeUndefined();
    const list = (value as { items?: unknown }).items ?? value;
    expect(list).toEqual([2000, "tool 1999 x", "PARTIAL", "many.tool 1234"]);
  });
});
