import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { artificer, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const run = (...args: string[]) => artificer(args, { cwd: folder.path });

const source = `"""Counts how many words a text file has."""


def run(path: str, top: int = 3) -> int:
    """Counts how many words a text file has."""
    print("reading", path)
    return len(open(path).read().split())
`;

describe("artificer skills", () => {
  beforeAll(() => {
    writeFileSync(join(folder.path, "tally.py"), source);
    writeFileSync(join(folder.path, "text.txt"), "one two three");
  });

  it("keeps a file as a skill, and refuses to replace it unless told to [P4]", async () => {
    const added = await run("skills", "add", "tally.py", "--description", "Counts how many words a text file has");
    expect(added).toMatchObject({ exitCode: 0, stderr: "" });
    expect(added.stdout).toContain("tally(path: str, top: int = 3) -> int");
    const again = await run("skills", "add", "tally.py");
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toContain("tally");
    const replaced = await run("skills", "add", "tally.py", "--description", "Counts words", "--replace", "--json");
    expect(JSON.parse(replaced.stdout).skill).toMatchObject({ name: "tally", version: 2 });
  });

  it("lists, shows and finds it by meaning [P9]", async () => {
    expect((await run("skills", "list")).stdout).toContain("tally(path: str, top: int = 3) -> int");
    expect((await run("skills", "show", "tally")).stdout).toContain("return len(open(path).read().split())");
    const found = JSON.parse((await run("skills", "search", "how long is this document", "--json")).stdout);
    expect(found.skills[0]).toMatchObject({ name: "tally" });
  });

  it("invokes it with arguments as JSON or text, and prints what it returns", async () => {
    const plain = await run("skills", "invoke", "tally", "--arg", "path=text.txt", "--arg", "top=5");
    expect(plain).toMatchObject({ exitCode: 0, stdout: "reading text.txt\n3\n" });
    const json = await run("skills", "invoke", "tally", "--args", '{"path": "text.txt"}', "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ status: "completed", value: 3 });
  });

  it("exits with 1 and the traceback when the skill fails", async () => {
    const { exitCode, stderr } = await run("skills", "invoke", "tally", "--arg", "path=absent.txt");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("FileNotFoundError");
  });

  it("names the nearest skill when there is none of that name", async () => {
    const { exitCode, stderr } = await run("skills", "show", "taly");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("tally");
    expect((await run("skills", "rm", "taly")).exitCode).toBe(3);
    expect((await run("skills", "invoke", "taly", "--json")).exitCode).toBe(3);
  });

  it.each([
    ["no-run.py", "x = 1\n", "run"],
    ["broken.py", "def run(:\n", "Line 1 "],
  ])("refuses %s and says how to mend it", async (file, content, word) => {
    writeFileSync(join(folder.path, file), content);
    const { exitCode, stderr } = await run("skills", "add", file, "--name", "other", "--description", "x");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(word);
  });

  it("refuses a name that is a path", async () => {
    expect((await run("skills", "add", "tally.py", "--name", "../../x")).exitCode).toBe(2);
  });

  it("removes it", async () => {
    expect(await run("skills", "rm", "tally")).toMatchObject({ exitCode: 0, stdout: "Removed tally.\n" });
    expect(JSON.parse((await run("skills", "list", "--json")).stdout)).toEqual({ skills: [] });
  });
});

describe("artificer artifacts", () => {
  it("keeps text, JSON and bytes, and gives them back as they were [P5]", async () => {
    writeFileSync(join(folder.path, "a.json"), '{"a": [1, 2]}');
    writeFileSync(join(folder.path, "a.bin"), Buffer.from([0, 255, 10]));
    expect((await run("artifacts", "put", "reports/a.json", "a.json", "--description", "A report")).exitCode).toBe(0);
    expect((await run("artifacts", "put", "raw", "a.bin")).exitCode).toBe(0);
    await artificer(["artifacts", "put", "note", "-"], { cwd: folder.path, stdin: "no newline" });
    expect(JSON.parse((await run("artifacts", "get", "reports/a.json")).stdout)).toEqual({ a: [1, 2] });
    expect((await run("artifacts", "get", "note")).stdout).toBe("no newline");
    expect((await run("artifacts", "get", "raw", "-o", "copy.bin")).exitCode).toBe(0);
    expect([...readFileSync(join(folder.path, "copy.bin"))]).toEqual([0, 255, 10]);
    const cell = await run("run", "-c", "artifacts.load('reports/a.json')['a'], artifacts.load('raw')");
    expect(cell.stdout).toBe("([1, 2], b'\\x00\\xff\\n')\n");
  });

  it("lists them, by prefix too", async () => {
    const names = async (...args: string[]) =>
      JSON.parse((await run("artifacts", "list", "--json", ...args)).stdout).artifacts.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names()).toEqual(["note", "raw", "reports/a.json"]);
    expect(await names("--prefix", "reports/")).toEqual(["reports/a.json"]);
    expect((await run("artifacts", "list")).stdout).toContain("A report");
  });

  it("refuses to replace with --if-absent, and names that leave the base", async () => {
    expect((await run("artifacts", "put", "raw", "a.bin", "--if-absent")).exitCode).toBe(4);
    expect((await run("artifacts", "put", "../../x", "a.bin")).exitCode).toBe(2);
  });

  it("removes one, and tells when there is none", async () => {
    expect((await run("artifacts", "rm", "raw")).exitCode).toBe(0);
    const { exitCode, stderr } = await run("artifacts", "get", "raw");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("raw");
    expect((await run("artifacts", "rm", "raw", "--json")).stdout).toContain('"artifact/not-found"');
  });
});
