import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { type CellToolProgress, Session, type Toolkit } from "../../src/index.js";
import { checkMcpDefinition, openMcpToolkit } from "../../src/tools/index.js";
import { useTempFolder } from "../session/temp-folder.js";

const temp = useTempFolder();
const everything = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const definition = { type: "mcp", name: "everything", command: process.execPath, args: [everything, "stdio"] };
const cell = 'tools.everything["trigger-long-running-operation"](duration=0.2, steps=4)';

describe("progress that a tool reports", () => {
  it("of a real MCP server reaches the host that runs the cell, and the hooks around the call [P2]", async () => {
    const told: CellToolProgress[] = [];
    const hooked: unknown[] = [];
    await using session = new Session({
      embedder: null,
      tools: [await openMcpToolkit(checkMcpDefinition(definition, "test"))],
      toolHooks: [
        async ({ onProgress }, next) => {
          hooked.push(typeof onProgress);
          onProgress?.({ progress: 0, message: "on its way" });
          return next();
        },
      ],
    });
    const outcome = await session.run(cell, { onToolProgress: (progress) => told.push(progress) });
    expect(outcome.status).toBe("completed");
    const tool = "everything.trigger-long-running-operation";
    expect(told.slice(0, 4)).toEqual([
      { tool, cell: 1, progress: 0, message: "on its way" },
      ...[1, 2, 3].map((progress) => expect.objectContaining({ tool, cell: 1, progress, total: 4 })),
    ]);
    expect(hooked).toEqual(["function"]);
  });

  it("shows no secret, and ends with its call", async () => {
    const told: string[] = [];
    let late: ((progress: { progress: number; message: string }) => void) | undefined;
    const kit: Toolkit = {
      name: "kit",
      description: "",
      tools: [{ name: "tell", description: "", inputSchema: { type: "object" }, effect: "read" }],
      call: async (_tool, _args, { onProgress }) => {
        late = onProgress;
        onProgress?.({ progress: 1, message: "with the k3y-of-the-house" });
        return null;
      },
    };
    await using session = new Session({ embedder: null, tools: [kit], secrets: ["k3y-of-the-house"] });
    await session.run("tools.kit.tell()", { onToolProgress: ({ message }) => told.push(message ?? "") });
    late?.({ progress: 2, message: "late" });
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain("k3y");
  });

  it("reaches the client of our own MCP server when it asks for it [P11]", async () => {
    const base = await temp();
    await mkdir(join(base, "tools"));
    await writeFile(join(base, "config.yaml"), "embeddings: {engine: none}\n");
    await writeFile(join(base, "tools/everything.yaml"), JSON.stringify(definition));
    const serve = fileURLToPath(new URL("../mcp/serve.mjs", import.meta.url));
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [serve, base] }));
    try {
      const told: { progress: number; message?: string | undefined }[] = [];
      await client.callTool(
        { name: "run_code", arguments: { code: cell } },
        { onprogress: (progress) => told.push(progress) },
      );
      const messages = told.map(({ message }) => message);
      expect(messages).toContainEqual(expect.stringContaining("everything.trigger-long-running-operation: 1 of 4"));
      const numbers = told.map(({ progress }) => progress);
      expect(numbers.length).toBeGreaterThan(1);
      // Seconds, and as the protocol wants it each more than the one before.
      expect(numbers.every((number, at) => at === 0 || number > numbers[at - 1]!)).toBe(true);
    } finally {
      await client.close();
    }
  });
});
