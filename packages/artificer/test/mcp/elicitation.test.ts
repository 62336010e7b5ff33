import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "artificer-elicitation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const serve = fileURLToPath(new URL("./serve.mjs", import.meta.url));
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const base = join(folder, "base");
mkdirSync(join(base, "work"), { recursive: true });
writeFileSync(
  join(base, "config.yaml"),
  "policy:\n  rules:\n    - {tool: workspace.write_file, action: ask, reason: files matter}\ntoolkits:\n  workspace: {root: work}\nembeddings: {engine: none}\n",
);

type Answer = { content: { text?: string }[]; structuredContent: { value?: unknown; status?: string } };

/** A client that answers each question in turn, and what it was asked. */
async function connect(answers: ElicitResult[] | undefined, options: object = {}) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: answers === undefined ? {} : { elicitation: {} }, ...options },
  );
  const asked: string[] = [];
  if (answers !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return answers.shift() ?? { action: "decline" };
    });
  }
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [serve, base] }));
  const run = async (code: string) =>
    (await client.callTool({ name: "run_code", arguments: { code } })) as unknown as Answer;
  return { run, asked };
}

const write = (name: string, content = "x") => `tools.workspace.write_file(path='${name}', content='${content}')`;
const attempt = (call: string) =>
  `try:\n    told = bool(${call})\nexcept Exception as error:\n    told = [error.code, error.message]\ntold`;

describe.each([
  ["a client of the protocol's newest version", { versionNegotiation: { mode: "auto" } }],
  ["a client of an older version", {}],
])("approvals over MCP, asked by elicitation of %s [P11] [A4]", (_what, options) => {
  it("go on when the person allows it, with changed arguments too; what can't be is asked again", async () => {
    const { run, asked } = await connect(
      [
        { action: "accept", content: { decision: "allow once" } },
        { action: "accept", content: { decision: "allow once", arguments: '{"path": 7}' } },
        {
          action: "accept",
          content: { decision: "allow once", arguments: '{"path": "b2.txt", "content": "changed"}' },
        },
      ],
      options,
    );
    const outcome = await run(
      `${write("a.txt")}\n${write("b.txt")}\ntools.workspace.read_file(path='b2.txt')['content']`,
    );
    expect(outcome.structuredContent, JSON.stringify(outcome)).toMatchObject({ status: "completed" });
    expect(JSON.stringify(outcome.structuredContent.value)).toContain("changed");
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain("workspace.write_file");
    expect(asked[0]).toContain("files matter");
    expect(asked[0]).toContain("a.txt");
    expect(asked[2]).toContain("could not be done");
  });

  it("tell the cell why when the person denies or declines it", async () => {
    const { run } = await connect(
      [{ action: "accept", content: { decision: "deny", reason: "not today" } }, { action: "decline" }],
      options,
    );
    const first = await run(attempt(write("c.txt")));
    expect(first.structuredContent.value).toEqual(["approval/denied", expect.stringContaining("not today")]);
    const second = await run(attempt(write("c.txt")));
    expect(second.structuredContent.value).toEqual(["approval/denied", expect.stringContaining("decline")]);
  });

  it("are refused at once where the client can't ask", async () => {
    const { run } = await connect(undefined, options);
    const outcome = await run(attempt(write("d.txt")));
    expect(outcome.structuredContent.value).toEqual(["approval/no-decider", expect.any(String)]);
  });
});
