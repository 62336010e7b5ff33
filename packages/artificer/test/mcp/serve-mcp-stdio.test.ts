import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRunning } from "@artificer/testkit/services";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "artificer-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const serve = fileURLToPath(new URL("./serve.mjs", import.meta.url));
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [serve, join(folder, "base")] }));
  return client;
}

interface Answer {
  isError?: boolean;
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent: Record<string, unknown>;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: args })) as unknown as Answer;
}

const textOf = ({ content }: Answer) => content.map(({ text }) => text ?? "").join("\n");
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("serveMcpStdio, driven by the SDK's own client over a real process [P11]", () => {
  it("checks a TypeScript cell first when asked, and runs nothing of one that is wrong", async () => {
    const client = await connect();
    const code = "console.log('ran');\nconst n: number = 'x'";
    const refused = await call(client, "run_code", { language: "typescript", check: true, code });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain("2:7 TS2322");
    expect(refused.structuredContent).toMatchObject({ status: "refused", error: { code: "cell/type-error", line: 2 } });
    expect(textOf(await call(client, "run_code", { language: "typescript", code }))).toContain("ran");
  });

  it("offers run_code and the session's skills, tools and artifacts", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "create_skill",
      "get_skill",
      "invoke_skill",
      "list_artifacts",
      "list_tools",
      "run_code",
      "search_skills",
      "search_tools",
    ]);
  });

  it("describes run_code by the real limits of the session", async () => {
    const { tools } = await (await connect()).listTools();
    const description = tools.find(({ name }) => name === "run_code")?.description;
    expect(description).toContain("300 seconds");
    expect(description).toContain("50 tool calls");
  });

  it("keeps variables for the connection, and not beyond it", async () => {
    const client = await connect();
    await call(client, "run_code", { code: "x = 20" });
    const answer = await call(client, "run_code", { code: "print('hi'); x * 2 + 2" });
    expect(answer.isError).toBeFalsy();
    expect(textOf(answer)).toMatch(/hi\n.*42/s);
    expect(answer.structuredContent).toMatchObject({ status: "completed", value: 42, stdout: "hi\n", generation: 1 });
    const other = await call(await connect(), "run_code", { code: "x" });
    expect(other.structuredContent).toMatchObject({ status: "failed", error: { type: "NameError" } });
  });

  it("starts over with reset", async () => {
    const client = await connect();
    await call(client, "run_code", { code: "x = 1" });
    const answer = await call(client, "run_code", { code: "'x' in globals()", reset: true });
    expect(answer.structuredContent).toMatchObject({ value: false, generation: 2 });
  });

  it("marks a cell that does not complete as an error, with its traceback and no frame of ours", async () => {
    const answer = await call(await connect(), "run_code", { code: "print('before')\n1/0" });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain("before");
    expect(textOf(answer)).toContain("ZeroDivisionError");
    expect(textOf(answer)).not.toContain("node_modules");
    expect(answer.structuredContent).toMatchObject({ status: "failed", error: { code: "cell/exception" } });
  });

  it("ends a cell at timeout_seconds and keeps the connection", async () => {
    const client = await connect();
    const answer = await call(client, "run_code", { code: "while True: pass", timeout_seconds: 0.5 });
    expect(answer.structuredContent).toMatchObject({ status: "timed-out" });
    expect((await call(client, "run_code", { code: "1+1" })).structuredContent).toMatchObject({ value: 2 });
  });

  it("interrupts the cell when the client gives the call up", async () => {
    const client = await connect();
    await call(client, "run_code", { code: "kept = 7\nimport time" });
    const started = join(folder, "started");
    const giveUp = new AbortController();
    const abandoned = client.callTool(
      { name: "run_code", arguments: { code: `open(${JSON.stringify(started)}, 'w').close(); time.sleep(600)` } },
      { signal: giveUp.signal },
    );
    await expect.poll(() => existsSync(started)).toBe(true);
    giveUp.abort();
    await expect(abandoned).rejects.toThrow();
    expect((await call(client, "run_code", { code: "kept" })).structuredContent).toMatchObject({ value: 7 });
  });

  it("tells a client that asks for progress of a silent cell, and lets it wait longer than its own time limit [X4-29]", async () => {
    const client = await connect();
    // A kernel that is started first, however long that takes: what is timed is the silence after it.
    await call(client, "run_code", { code: "1" });
    const beats: { progress: number; message?: string | undefined }[] = [];
    const answer = await client.callTool(
      { name: "run_code", arguments: { code: "import time; time.sleep(7); 'awake'" } },
      { onprogress: (beat) => beats.push(beat), timeout: 6_500, resetTimeoutOnProgress: true },
    );
    expect((answer as unknown as Answer).structuredContent).toMatchObject({ value: "awake" });
    expect(beats[0]).toMatchObject({ progress: expect.any(Number), message: expect.stringContaining("cell runs") });
  });

  it("shows pictures as image content", async () => {
    const code = `import base64\nclass P:\n  def _repr_png_(self): return base64.b64decode("${png}")\ndisplay(P())`;
    const answer = await call(await connect(), "run_code", { code });
    expect(answer.content).toContainEqual({ type: "image", mimeType: "image/png", data: png });
    expect(answer.structuredContent).toMatchObject({ images: 1 });
  });

  it("keeps a skill, finds it by meaning in another connection, reads and runs it [P4] [P9]", async () => {
    const source = "def run(path: str) -> int:\n    return len(open(path).read().split())\n";
    const draft = { name: "tally", source, description: "Counts how many words a text file has" };
    const created = await call(await connect(), "create_skill", draft);
    expect(textOf(created)).toContain("tally(path: str) -> int");
    const client = await connect();
    expect(textOf(await call(client, "search_skills", { query: "how long is this document" }))).toContain("tally(");
    expect(textOf(await call(client, "get_skill", { name: "tally" }))).toContain("return len(open(path)");
    const invoked = await call(client, "invoke_skill", { name: "tally", arguments: { path: serve } });
    expect(invoked.structuredContent).toMatchObject({ status: "completed", value: expect.any(Number) });
  });

  it("answers what can't be done with an error that says how to mend it, and no stack", async () => {
    const client = await connect();
    const broken = await call(client, "create_skill", { name: "no_run", source: "x = 1", description: "y" });
    expect(broken.isError).toBe(true);
    expect(broken.structuredContent).toMatchObject({ error: { code: "skill/no-run" } });
    const absent = await call(client, "get_skill", { name: "tallly" });
    expect(absent.isError).toBe(true);
    expect(textOf(absent)).toContain("tally");
    expect(textOf(absent)).not.toMatch(/^\s+at /m);
  });

  it("lists artifacts that cells keep", async () => {
    const client = await connect();
    await call(client, "run_code", { code: "artifacts.save('reports/may', {'sum': 1})" });
    const answer = await call(client, "list_artifacts", { prefix: "reports/" });
    expect(textOf(answer)).toContain("reports/may");
    expect(answer.structuredContent).toMatchObject({ artifacts: [{ name: "reports/may" }] });
  });

  it("keeps standard output for the protocol, whatever a cell writes and wherever", async () => {
    const client = await connect();
    const code = `import os, sys
for descriptor in range(0, 64):
    try: os.write(descriptor, b'{"jsonrpc": "2.0"}\\n')
    except OSError: pass
sys.__stdout__.write("still here")`;
    await call(client, "run_code", { code });
    expect((await call(client, "run_code", { code: "1+1" })).structuredContent).toMatchObject({ value: 2 });
  });

  it("ends its kernel and itself when the client goes", async () => {
    const client = await connect();
    const answer = await call(client, "run_code", { code: "import os; [os.getpid(), os.getppid()]" });
    const pids = answer.structuredContent.value as number[];
    await client.close();
    clients.length = 0;
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
