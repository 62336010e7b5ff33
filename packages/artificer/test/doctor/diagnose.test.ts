import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkNode } from "../../src/doctor/check-node.js";
import { diagnose } from "../../src/doctor/index.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function checksOf(base: string) {
  const { usable, checks } = await diagnose({ base });
  return { usable, of: (name: string) => checks.filter((check) => check.name === name) };
}

describe("diagnose", () => {
  it("finds a fresh machine usable, says that there is no base yet, and makes none", async () => {
    const base = join(folder, "absent");
    const { usable, of } = await checksOf(base);
    expect(usable).toBe(true);
    expect(of("base")).toMatchObject([{ status: "warn", hint: expect.stringContaining("artificer init") }]);
    expect(of("node")).toMatchObject([{ status: "ok" }]);
    expect(of("python")).toMatchObject([{ status: "ok", detail: expect.stringMatching(/^3\.\d+/) }]);
    expect(of("executor subprocess")).toMatchObject([{ status: "ok" }]);
    expect(of("embedder")).toMatchObject([{ status: "ok" }]);
    expect(existsSync(base)).toBe(false);
  });

  it("names file, line and key of a bad configuration, and is not usable with it", async () => {
    const base = join(folder, "bad-config");
    mkdirSync(base);
    writeFileSync(join(base, "config.yaml"), "code_execution:\n  timout: 3\n");
    const { usable, of } = await checksOf(base);
    expect(usable).toBe(false);
    const [check] = of("config");
    expect(check).toMatchObject({ status: "fail", hint: expect.stringContaining("timeout") });
    expect(check?.detail).toMatch(/config\.yaml, line 2/);
  });

  it("tells an interpreter that the configuration names and that is not there", async () => {
    const base = join(folder, "no-python");
    mkdirSync(base);
    writeFileSync(join(base, "config.yaml"), `python:\n  interpreter: ${join(folder, "nowhere", "python3")}\n`);
    const { usable, of } = await checksOf(base);
    expect(usable).toBe(false);
    expect(of("python")).toMatchObject([{ status: "fail", detail: expect.stringContaining("nowhere") }]);
  });

  it("warns of each tool that is broken or lacks its program, and stays usable", async () => {
    const base = join(folder, "tools");
    mkdirSync(join(base, "tools"), { recursive: true });
    writeFileSync(join(base, "tools", "broken.yaml"), "name: [\n");
    writeFileSync(
      join(base, "tools", "absent.yaml"),
      "name: absent\ncommand: no-such-program-anywhere\nrecipes: { go: {} }\n",
    );
    const before = readdirSync(base);
    const { usable, of } = await checksOf(base);
    const warnings = of("tools").filter(({ status }) => status === "warn");
    expect(usable).toBe(true);
    expect(warnings.map(({ detail }) => detail).join("\n")).toContain("broken.yaml");
    expect(warnings.map(({ detail }) => detail).join("\n")).toContain("no-such-program-anywhere");
    expect(readdirSync(base)).toEqual(before);
  });

  it("is not usable where the base is a file", async () => {
    const base = join(folder, "a-file");
    writeFileSync(base, "");
    const { usable, of } = await checksOf(base);
    expect(usable).toBe(false);
    expect(of("base")).toMatchObject([{ status: "fail", detail: expect.stringContaining("no folder") }]);
  });

  it("says that search goes by words alone where the configuration turns the model off", async () => {
    const base = join(folder, "words");
    mkdirSync(base);
    writeFileSync(join(base, "config.yaml"), "embeddings:\n  engine: none\n");
    expect((await checksOf(base)).of("embedder")).toMatchObject([
      { status: "ok", detail: expect.stringContaining("words alone") },
    ]);
  });
});

describe("checkNode", () => {
  it("refuses a Node that is too old, naming the oldest that does", () => {
    expect(checkNode("18.20.0")).toMatchObject({ status: "fail", hint: expect.stringContaining("20.11") });
    expect(checkNode("20.10.0").status).toBe("fail");
    expect(checkNode("20.11.0").status).toBe("ok");
    expect(checkNode("22.0.0").status).toBe("ok");
  });
});
