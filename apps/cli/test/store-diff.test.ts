import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const run = (...args: string[]) => artificer(args, { cwd: folder.path });

/** Two bases of a test's own, and the command between them. */
function twoBases(name: string) {
  const [here, there] = [join(folder.path, name, "here"), join(folder.path, name, "there")];
  const store = (command: string, ...args: string[]) => run("store", command, there, "--local", here, ...args);
  const diff = (...args: string[]) => store("diff", "--text", ...args);
  const json = async (...args: string[]) => JSON.parse((await diff(...args, "--json")).stdout).items;
  return { here, there, store, diff, json };
}

function put(base: string, file: string, content: string | Buffer): void {
  mkdirSync(join(base, file, ".."), { recursive: true });
  writeFileSync(join(base, file), content);
}

async function saveSkill(base: string, body: string): Promise<void> {
  const file = join(folder.path, "tally.py");
  writeFileSync(file, `def run() -> str:\n    """Counts things."""\n    ${body}\n    return "done"\n`);
  expect(await run("skills", "add", file, "--replace", "--base", base)).toMatchObject({ exitCode: 0 });
}

describe("artificer store diff --text", () => {
  it("shows what a transfer would change, from the side that is older to the newer one [P12]", async () => {
    const { here, there, store, diff, json } = twoBases("newer");
    await saveSkill(here, "common = 1");
    put(here, "tools/clock.yaml", "name: clock\ncommand: date\nrecipes: { now: {} }\n");
    put(here, "artifacts/bytes", Buffer.from([0, 1, 255]));
    expect(await store("push")).toMatchObject({ exitCode: 0 });
    expect(await diff()).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining("@@") });

    put(here, "tools/clock.yaml", "name: clock\ncommand: gdate\nrecipes: { now: {} }\n");
    put(here, "tools/new.yaml", "name: new\ncommand: \u001b[31mecho\nrecipes: { go: {} }\n");
    put(here, "artifacts/bytes", Buffer.from([0, 1, 254, 3]));
    await saveSkill(there, "common = 2");
    const shown = (await diff()).stdout;
    expect(shown).toContain(
      "--- there/tools/clock.yaml\n+++ here/tools/clock.yaml\n@@ -1,3 +1,3 @@\n name: clock\n-command: date\n+command: gdate\n",
    );
    expect(shown).toContain("--- here/skills/tally.py\n+++ there/skills/tally.py\n");
    expect(shown).toContain("-    common = 1\n+    common = 2\n");
    expect(shown).toContain("artifacts/bytes: 4 bytes that are no text here, 3 bytes that are no text there");
    // What another wrote does not steer the terminal.
    expect(shown).toContain("+command: \\u{1b}[31mecho\n");

    const one = await diff("--only", "tools/clock.yaml");
    expect(one.stdout.match(/^---/gm)).toHaveLength(1);
    expect(await json("--only", "tools/clock.yaml")).toMatchObject([
      { id: "tools/clock.yaml", action: "to-remote", patch: expect.stringContaining("+command: gdate") },
    ]);
  }, 120_000);

  it("shows of what changed on both sides how each differs from what both last had, and says where that is not kept [P12]", async () => {
    const { here, there, store, diff, json } = twoBases("both");
    await saveSkill(here, "common = 1");
    await saveSkill(here, "common = 2");
    expect(await store("sync")).toMatchObject({ exitCode: 0 });
    await saveSkill(here, "common = 'ours'");
    await saveSkill(there, "common = 'theirs'");
    put(here, "requirements.txt", "numpy\n");
    put(there, "requirements.txt", "pandas\n");
    const told = await diff();
    expect(told.exitCode).toBe(4);
    const common = "skill-versions/tally/2.py";
    expect(told.stdout).toContain(`--- common/${common}\n+++ here/skills/tally.py\n`);
    expect(told.stdout).toContain(`--- common/${common}\n+++ there/skills/tally.py\n`);
    expect(told.stdout).toContain("-    common = 2\n+    common = 'ours'\n");
    expect(told.stdout).toContain("-    common = 2\n+    common = 'theirs'\n");
    expect(told.stdout).toContain(
      "requirements.txt: the text that both last had is not kept\n--- there/requirements.txt\n+++ here/requirements.txt\n",
    );
    expect(told.stdout).toContain("-pandas\n+numpy\n");
    const items = await json("--kind", "skills");
    expect(items).toMatchObject([
      {
        action: "conflict",
        threeWay: { here: expect.stringContaining("'ours'"), there: expect.stringContaining("'theirs'") },
        patch: expect.stringMatching(/-\s+common = 'theirs'\n\+\s+common = 'ours'/),
      },
    ]);
  }, 120_000);

  it("shows a skill whose origin is not noted by the latest version that both have, and one that is deleted on one side against nothing", async () => {
    const { here, there, store, diff } = twoBases("unnoted");
    await saveSkill(here, "common = 1");
    expect(await store("push", "--kind", "skills")).toMatchObject({ exitCode: 0 });
    // A folder that is copied takes no notes of a meeting along; neither does one whose notes were lost.
    for (const base of [here, there])
      rmSync(join(base, ".state", "records", "sync.d"), { recursive: true, force: true });
    await saveSkill(here, "common = 'mine'");
    await saveSkill(there, "common = 'other'");
    const told = await diff("--kind", "skills");
    expect(told).toMatchObject({ exitCode: 4 });
    expect(told.stdout).toContain("-    common = 1\n+    common = 'mine'\n");
    expect(told.stdout).toContain("-    common = 1\n+    common = 'other'\n");

    await store("sync", "--kind", "skills", "--ours", "*");
    rmSync(join(there, "skills", "tally.py"));
    const deleted = (await diff("--kind", "skills")).stdout;
    expect(deleted).toContain("--- here/skills/tally.py\n+++ there/skills/tally\n");
    expect(deleted).toContain("-    common = 'mine'\n");
  }, 120_000);
});
