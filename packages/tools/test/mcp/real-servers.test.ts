// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${VAR}` is what definitions write for a variable of the host.
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeValue } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpToolkit, openMcpToolkit } from "../../src/mcp/index.js";
import { callContext, packageServer } from "./fixture-server.js";

const png = [0x89, 0x50, 0x4e, 0x47];
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-mcp-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the server-everything of npm", () => {
  let toolkit: McpToolkit;
  const call = (tool: string, args = {}) => toolkit.call(tool, args, callContext());
  beforeAll(async () => {
    toolkit = await openMcpToolkit(packageServer("everything", ["stdio"]));
  });
  afterAll(() => toolkit.close());

  it("[P2] gives a single text as a string and structured content as it is", async () => {
    expect(await call("echo", { message: "héllo" })).toBe("Echo: héllo");
    const weather = await call("get-structured-content", { location: "New York" });
    expect(weather).toEqual({
      temperature: expect.any(Number),
      conditions: expect.any(String),
      humidity: expect.any(Number),
    });
  });

  it("[P2] gives pictures as bytes and resources with their uri, all encodable", async () => {
    const [, picture] = (await call("get-tiny-image")) as [string, { mimeType: string; data: Uint8Array }];
    expect(picture.mimeType).toBe("image/png");
    expect([...picture.data.subarray(0, 4)]).toEqual(png);
    const answer = (await call("get-resource-reference", { resourceType: "Blob", resourceId: 2 })) as unknown[];
    expect(answer).toContainEqual({
      uri: "demo://resource/dynamic/blob/2",
      mimeType: expect.any(String),
      data: expect.any(Uint8Array),
    });
    expect(encodeValue(answer).parts).toHaveLength(1);
  });

  it("[P2] keeps schemas whole and classes tools by the server's hints", () => {
    const byName = new Map(toolkit.tools.map((tool) => [tool.name, tool]));
    expect(byName.get("get-annotated-message")?.inputSchema).toMatchObject({
      type: "object",
      properties: { messageType: { type: "string", enum: ["error", "success", "debug"] } },
      required: ["messageType"],
    });
    expect(byName.get("get-structured-content")?.outputSchema).toMatchObject({
      type: "object",
      required: expect.any(Array),
    });
    expect(byName.get("echo")?.effect).toBe("read");
    expect(byName.get("gzip-file-as-resource")?.effect).toBe("egress");
  });

  it("[P2] reaches resources, resource templates and prompts", async () => {
    const resources = (await call("list_resources")) as { uri: string }[];
    expect(resources.length).toBeGreaterThan(0);
    expect(await call("read_resource", { uri: "demo://resource/dynamic/text/7" })).toContain("Resource 7");
    expect(await call("list_resource_templates")).toContainEqual(
      expect.objectContaining({ uriTemplate: "demo://resource/dynamic/text/{resourceId}" }),
    );
    expect(await call("list_prompts")).toContainEqual(expect.objectContaining({ name: "args-prompt" }));
    expect(await call("get_prompt", { name: "args-prompt", arguments: { city: "Oslo" } })).toEqual({
      description: null,
      messages: [{ role: "user", content: "What's weather in Oslo?" }],
    });
  });

  it("[P2] passes progress on", async () => {
    const told: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => told.push(progress);
    const args = { duration: 0.2, steps: 4 };
    const answer = await toolkit.call("trigger-long-running-operation", args, callContext({ onProgress }));
    expect(answer).toContain("completed");
    expect(told.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it("[P2] shares one server among gathered calls", async () => {
    const sums = await Promise.all(Array.from({ length: 50 }, (_, a) => call("get-sum", { a, b: 1 })));
    expect(sums[49]).toContain("50");
  });

  it("[P2] raises the server's own refusal as tool/failed", async () => {
    await expect(call("get-sum", { a: "one" })).rejects.toMatchObject({ code: "tool/failed" });
    await expect(call("read_resource", { uri: "demo://nowhere" })).rejects.toMatchObject({ code: "tool/failed" });
  });
});

describe("the server-filesystem of npm", () => {
  it("[P2] reads and writes within its folder and raises its refusal beyond", async () => {
    await writeFile(join(folder, "in.txt"), "one\ntwo\n");
    const toolkit = await openMcpToolkit(packageServer("filesystem", [folder]));
    try {
      const { content } = (await toolkit.call("read_text_file", { path: join(folder, "in.txt") }, callContext())) as {
        content: string;
      };
      expect(content).toBe("one\ntwo\n");
      await toolkit.call("write_file", { path: join(folder, "out.txt"), content: "three" }, callContext());
      expect(await readFile(join(folder, "out.txt"), "utf8")).toBe("three");
      await expect(toolkit.call("read_text_file", { path: "/etc/hosts" }, callContext())).rejects.toMatchObject({
        code: "tool/failed",
        message: expect.stringContaining("outside allowed directories"),
        details: { toolkit: "filesystem", tool: "read_text_file" },
      });
      const byName = new Map(toolkit.tools.map(({ name, effect }) => [name, effect]));
      expect(byName.get("write_file")).toBe("destructive");
      expect(byName.get("create_directory")).toBe("write");
    } finally {
      await toolkit.close();
    }
  });
});

describe("the server-memory of npm", () => {
  it("[P2] keeps nested arguments and structured results, and gets its file by its environment", async () => {
    const file = join(folder, "memory.jsonl");
    const definition = packageServer("memory", [], { env: { MEMORY_FILE_PATH: "${FOLDER}/memory.jsonl" } });
    const toolkit = await openMcpToolkit(definition, { environment: { ...process.env, FOLDER: folder } });
    try {
      const entities = [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }];
      await toolkit.call("create_entities", { entities }, callContext());
      const found = await toolkit.call("search_nodes", { query: "program" }, callContext());
      expect(found).toMatchObject({ entities, relations: [] });
      expect(await readFile(file, "utf8")).toContain("Ada");
    } finally {
      await toolkit.close();
    }
  });
});
