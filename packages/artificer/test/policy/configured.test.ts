import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { diagnose } from "../../src/doctor/index.js";
import { type ApprovalRequest, parseConfig, Session } from "../../src/index.js";
import { attempts } from "./open-shop.js";

const root = mkdtempSync(join(tmpdir(), "artificer-policy-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

let bases = 0;
function base(config: string): string {
  const folder = join(root, `base-${++bases}`);
  mkdirSync(join(folder, "work"), { recursive: true });
  writeFileSync(
    join(folder, "config.yaml"),
    `embeddings: {engine: none}\ntoolkits: {workspace: {root: work}}\n${config}`,
  );
  return folder;
}

async function start(config: string, options = {}) {
  const session = await Session.fromBase(base(config), { home: join(root, "home"), ...options });
  open.push(session);
  return session;
}

describe("the policy section of config.yaml", () => {
  it("holds from the first cell on, and beside what the program sets: the stricter counts", async () => {
    const session = await start(
      "policy:\n  rules:\n    - {tool: workspace.write_file, args: {path: {not: {under: notes}}}, action: deny}\n  max_result: {workspace.read_file: 1kB}\n",
      { policy: { rules: [{ action: "allow" }], default: "allow" } },
    );
    const write = (path: string) => `bool(tools.workspace.write_file(path='${path}', content='x' * 5000))`;
    const { value } = await session.run(
      attempts(
        write("notes/a.txt"),
        write("notes/../b.txt"),
        write("c.txt"),
        "tools.workspace.read_file(path='notes/a.txt')",
      ),
    );
    const denied = ["tool/denied", expect.any(String)];
    expect(value).toEqual([true, denied, denied, ["tool/result-too-large", expect.any(String)]]);
  });

  it.each([
    ["policy:\n  rulez: []\n", "config/unknown-key", "rules"],
    ["policy:\n  rules:\n    - {action: ask, tols: x}\n", "config/unknown-key", "tool"],
    ["policy:\n  budgets: {cell: {call: 3}}\n", "config/unknown-key", "calls"],
    ["policy:\n  approval: {timout: 3}\n", "config/unknown-key", "timeout"],
    ["policy:\n  rules:\n    - {action: perhaps}\n", "config/invalid", "Correct"],
    ["secrets:\n  A: {env: X, fro: [a]}\n", "config/unknown-key", "Did you mean for"],
  ])("is checked with the rest of the file: %s", (text, code, hint) => {
    expect(() => parseConfig(text, "config.yaml")).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining("line"), hint: expect.stringContaining(hint) }),
    );
  });

  it("that names a tool which is not there keeps the session from opening, and leaves nothing open", async () => {
    await expect(start("policy:\n  rules: [{tool: workspace.write_fil, action: deny}]\n")).rejects.toMatchObject({
      code: "policy/unknown-tool",
      hint: expect.stringContaining("workspace.write_file"),
    });
  });

  it("is told by the doctor: what is allowed, asked about and denied, and what is wrong with it", async () => {
    const of = async (config: string) =>
      (await diagnose({ base: base(config) })).checks.filter(({ name }) => name === "policy");
    mkdirSync(join(root, "x"), { recursive: true });
    const ready = async (config: string) => {
      const session = await start("");
      await session.close();
      return of(config);
    };
    const withTools = (config: string) => {
      const folder = base(config);
      mkdirSync(join(folder, "tools"));
      return diagnose({ base: folder }).then(({ checks }) => checks.filter(({ name }) => name === "policy"));
    };
    expect(await ready("")).toEqual([]);
    expect(await withTools("")).toMatchObject([{ status: "ok", detail: expect.stringContaining("none") }]);
    expect(await withTools("policy: {default: {write: ask, destructive: deny}}\n")).toMatchObject([
      { status: "ok", detail: expect.stringMatching(/2 asked about, 1 denied/) },
    ]);
    expect(await withTools("policy: {only: [workspace.reed_file]}\n")).toMatchObject([
      { status: "fail", hint: expect.stringContaining("workspace.read_file") },
    ]);
  });
});

describe("dangerous commands [X8-5]", () => {
  it("of the workspace's terminal are asked about as soon as there is a policy, and only then", async () => {
    const asked: ApprovalRequest[] = [];
    const session = await start("policy: {}\n");
    session.approvals.onRequest((request) => {
      asked.push(request);
      session.approvals.decide(request.id, { decision: "deny" });
    });
    const run = (command: string) => `tools.workspace.terminal(command=${JSON.stringify(command)})['exit_code']`;
    const { value } = await session.run(
      attempts(run("echo fine"), run("rm -rf ./x"), run("true; sudo true"), run("r\\m -r'f' x")),
    );
    const denied = ["approval/denied", expect.any(String)];
    expect(value).toEqual([0, denied, denied, denied]);
    expect(asked.map(({ reason }) => reason)).toEqual([
      "the command deletes folders or many files",
      "the command becomes another user",
      "the command deletes folders or many files",
    ]);
    const free = await start("");
    expect((await free.run(attempts(run("rm -rf ./x")))).value).toEqual([0]);
  });
});
