import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, binary, start, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const base = join(folder.path, "base");

describe("artificer mcp", () => {
  it("serves the base to the SDK's client: its tools described, variables kept [P11]", async () => {
    await artificer(["init", "--base", base]);
    const client = new Client({ name: "test", version: "1.0.0" });
    const args = [binary, "mcp", "--base", base, "--timeout", "20"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    try {
      const { tools } = await client.listTools();
      const description = tools.find(({ name }) => name === "run_code")?.description;
      expect(description).toContain("tools.curl.get(");
      expect(description).toContain("20 seconds");
      await client.callTool({ name: "run_code", arguments: { code: "x = 40" } });
      const answer = await client.callTool({ name: "run_code", arguments: { code: "x + 2" } });
      expect(answer).toMatchObject({ structuredContent: { status: "completed", value: 42 } });
    } finally {
      await client.close();
    }
  });

  it("ends when its input ends, having written nothing but the protocol", async () => {
    expect(await artificer(["mcp", "--base", base])).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("ends when it is told to", async () => {
    const started = start(["mcp", "--base", base], { stdin: null });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    started.child.stdin?.write(`${JSON.stringify(ping)}\n`);
    await started.told('"id":1');
    started.child.kill("SIGTERM");
    expect((await started.finished).exitCode).toBe(143);
  });

  it("says what is wrong with the configuration instead of serving", async () => {
    const { exitCode, stdout, stderr } = await artificer(["mcp", "--base", join(binary, "base")]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: "" });
    expect(stderr).toContain("base folder");
  });
});
