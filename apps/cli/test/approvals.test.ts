import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { binary, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const driver = fileURLToPath(new URL("./repl/terminal.py", import.meta.url));
const base = join(folder.path, "base");
mkdirSync(join(base, "work"), { recursive: true });
writeFileSync(
  join(base, "config.yaml"),
  "policy:\n  rules: [{tool: '*.write_file', action: ask, reason: files matter}]\ntoolkits: {workspace: {root: work}}\nembeddings: {engine: none}\n",
);

type Step = { wait: string } | { type: string };

function play(command: string[], steps: readonly Step[]) {
  const input = steps.map((step) => JSON.stringify(step)).join("\n");
  const args = [driver, process.execPath, binary, ...command, "--base", base];
  return spawnSync("python3", args, { input: `${input}\n`, encoding: "utf8", env: { ...process.env, TERM: "xterm" } });
}

const write = (name: string) => `tools.workspace.write_file(path='${name}', content='x')`;

describe("approvals at the terminal [A4]", () => {
  it("of artificer run show the call and the code, and let it through on a yes", () => {
    const { status, stdout } = play(
      ["run", "-c", write("a.txt")],
      [
        { wait: "workspace.write_file (write): files matter" },
        { wait: '"path": "a.txt"' },
        { wait: "Around line 1" },
        { wait: "[n]o: " },
        { type: "y\r" },
      ],
    );
    expect(status, stdout).toBe(0);
    expect(existsSync(join(base, "work", "a.txt"))).toBe(true);
  });

  it("of artificer run deny with a reason, and take edited arguments", () => {
    const denied = play(
      ["run", "-c", write("b.txt")],
      [
        { wait: "[n]o: " },
        { type: "n\r" },
        { wait: "may be empty" },
        { type: "not this one\r" },
        { wait: "not this one" },
      ],
    );
    expect(denied.stdout).toContain("was not approved");
    expect(existsSync(join(base, "work", "b.txt"))).toBe(false);
    const edited = play(
      ["run", "-c", write("c.txt")],
      [
        { wait: "[n]o: " },
        { type: "e\r" },
        { wait: "Arguments as JSON" },
        { type: '{"path": 7, "content": "x"}\r' },
        { wait: "but got" },
        { wait: "[n]o: " },
        { type: "e\r" },
        { wait: "Arguments as JSON" },
        { type: '{"path": "d.txt", "content": "edited"}\r' },
      ],
    );
    expect(edited.status, edited.stdout).toBe(0);
    expect(readFileSync(join(base, "work", "d.txt"), "utf8")).toBe("edited");
  });

  it("of artificer repl are no lines that were typed before the question, and Ctrl-C withdraws them", () => {
    const { status, stdout } = play(
      ["repl"],
      [
        { wait: "py> " },
        { type: `import time; time.sleep(1); ${write("e.txt")}\ry\r` },
        { wait: "[n]o: " },
        { type: "\u0003" },
        { wait: "KeyboardInterrupt" },
        { type: "\u0004" },
      ],
    );
    expect(stdout).toContain("files matter");
    expect(existsSync(join(base, "work", "e.txt"))).toBe(false);
    expect(status, stdout).toBe(0);
  });

  it("are refused at once where nobody sits at a terminal", () => {
    const { status, stderr } = spawnSync(process.execPath, [binary, "run", "-c", write("f.txt"), "--base", base], {
      encoding: "utf8",
      input: "",
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain("nobody is there to decide");
  });
});

describe("artificer run --dry-run", () => {
  it("lists what the tools would have done and does none of it", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        binary,
        "run",
        "--json",
        "--dry-run",
        "writes",
        "-c",
        `tools.workspace.list_files(); ${write("g.txt")}`,
        "--base",
        base,
      ],
      { encoding: "utf8", input: "" },
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout).toolCalls).toMatchObject([
      { tool: "workspace.list_files", status: "completed" },
      {
        tool: "workspace.write_file",
        status: "planned",
        plan: { effect: "write", args: { path: "g.txt" }, wouldAsk: true },
      },
    ]);
    expect(existsSync(join(base, "work", "g.txt"))).toBe(false);
  });
});
