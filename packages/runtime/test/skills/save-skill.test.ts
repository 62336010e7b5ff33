import { describe, expect, test } from "vitest";
import { createCountingStorage } from "../support/memory-storage.js";
import { failure, openLibrary, python, read, write } from "../support/skill-library.js";
import { createUnevenStorage } from "../support/uneven-storage.js";

describe("creating a skill", () => {
  test("[P4] saves a file that people can edit, with its front matter as a comment", async () => {
    const { library, storage } = await openLibrary();
    const skill = await library.create({
      name: "collect_terms",
      source: python("return owner", "owner: str, limit: int = 5"),
      description: "Summarise the legal terms of packages",
      tags: ["legal"],
      requiredEnvironmentVariables: ["GITHUB_TOKEN"],
      deps: ["requests"],
    });
    const text = await read(storage, "skills/collect_terms.py");
    expect(text).toBe(
      [
        "# ---",
        "# name: collect_terms",
        "# description: Summarise the legal terms of packages",
        "# version: 1",
        "# tags:",
        "#   - legal",
        "# required_environment_variables:",
        "#   - GITHUB_TOKEN",
        "# deps:",
        "#   - requests",
        "# ---",
        "def run(owner: str, limit: int = 5):",
        "    return owner",
        "",
      ].join("\n"),
    );
    expect(skill).toMatchObject({
      version: 1,
      language: "python",
      lifecycle: "draft",
      signature: "collect_terms(owner: str, limit: int = 5)",
      tags: ["legal"],
      deps: ["requests"],
      requiredEnvironmentVariables: ["GITHUB_TOKEN"],
      source: text,
    });
    expect(skill.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("[P4] saves TypeScript with the same front matter", async () => {
    const { library, storage } = await openLibrary();
    const source = "export async function run(folder: string): number {\n  return 1;\n}\n";
    const skill = await library.create({ name: "count", source, language: "typescript", description: "Counts files" });
    expect(await read(storage, "skills/count.ts")).toBe(
      `// ---\n// name: count\n// description: Counts files\n// version: 1\n// ---\n${source}`,
    );
    expect(skill.signature).toBe("count(folder: string) -> number");
  });

  test("takes front matter from the source, and lets the draft's own fields win", async () => {
    const { library } = await openLibrary();
    const source = `---\nname: other\ndescription: From the file\ntags: [a, b]\n---\n${python()}`;
    const skill = await library.create({ name: "mine", source, description: "From the draft" });
    expect(skill).toMatchObject({ name: "mine", description: "From the draft", tags: ["a", "b"] });
    expect(skill.source.match(/---/g)).toHaveLength(2);
  });

  test("takes the description from the documentation of run when none is given", async () => {
    const { library } = await openLibrary();
    const skill = await library.create({
      name: "mine",
      source: 'def run():\n    """Counts the stars."""\n    return 1\n',
    });
    expect(skill.description).toBe("Counts the stars.");
  });

  test("keeps a description with every kind of character whole", async () => {
    const { library, again } = await openLibrary();
    const description = "a: \"b\" # c\n---\n- d\n{{e}} é 😀 'f' @g `h` %i";
    await library.create({ name: "mine", source: python(), description });
    expect((await (await again()).get("mine")).description).toBe(description);
  });

  test("records the tools and skills that it uses", async () => {
    const { library } = await openLibrary();
    const source = python('return tools.curl.get(url="x"), skills.invoke("other", x=1)');
    expect(await library.create({ name: "mine", source })).toMatchObject({ tools: ["curl.get"], skills: ["other"] });
  });

  test.each([
    ["../evil", "evil"],
    ["skills/evil.py", "evil"],
    ["/etc/passwd", "passwd"],
    ["..", "collect_licences"],
    ["a\\b", "b"],
  ])("refuses the name %s, which is a path, and offers %s", async (name, offered) => {
    const { library, storage } = await openLibrary();
    const error = await failure(library.create({ name, source: python() }));
    expect(error).toMatchObject({ code: "skill/invalid-name", hint: `For instance: ${offered}.` });
    expect(error.message).toMatch(/path/);
    expect(storage.counts.blobWrites).toBe(0);
  });

  test.each([
    ["CamelCase", "camel_case"],
    ["9lives", "lives"],
    ["", "collect_licences"],
    ["a".repeat(65), "a".repeat(64)],
    ["naïve", "na_ve"],
  ])("refuses the name %s and offers %s", async (name, offered) => {
    const { library } = await openLibrary();
    const error = await failure(library.create({ name, source: python() }));
    expect(error).toMatchObject({ code: "skill/invalid-name", hint: `For instance: ${offered}.` });
  });

  test("refuses source that does not parse, naming the line as it was sent", async () => {
    const { library } = await openLibrary();
    const source = `# ---\n# description: x\n# ---\n\ndef run(:\n`;
    const error = await failure(library.create({ name: "mine", source }));
    expect(error).toMatchObject({ code: "skill/syntax", details: { line: 5 } });
    expect(error.hint).toMatch(/typescript/);
  });

  test("refuses source without run, showing an example in its language", async () => {
    const { library } = await openLibrary();
    expect(await failure(library.create({ name: "mine", source: "x = 1\n" }))).toMatchObject({
      code: "skill/no-run",
      hint: expect.stringContaining("def run("),
    });
    expect(
      await failure(library.create({ name: "mine", source: "let x = 1\n", language: "typescript" })),
    ).toMatchObject({
      code: "skill/no-run",
      hint: expect.stringContaining("export async function run("),
    });
  });

  test("refuses source over the limit, counting bytes", async () => {
    const { library } = await openLibrary({ limits: { maxBytes: 100 } });
    const error = await failure(library.create({ name: "mine", source: python(`return "${"é".repeat(50)}"`) }));
    expect(error).toMatchObject({ code: "skill/too-large", details: { maxBytes: 100 } });
  });

  test("refuses a secret, naming its kind and line but never the secret", async () => {
    const { library, storage } = await openLibrary();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const error = await failure(library.create({ name: "mine", source: python(`return "${secret}"`) }));
    expect(error).toMatchObject({ code: "skill/secret-in-source", details: { line: 2, kind: "a GitHub token" } });
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(error.hint).toMatch(/required_environment_variables/);
    expect(storage.counts.blobWrites).toBe(0);
  });

  test("refuses a name that is taken, unless told to replace", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    expect(await failure(library.create({ name: "mine", source: python("return 2") }))).toMatchObject({
      code: "skill/exists",
      details: { version: 1 },
    });
    const second = await library.create({ name: "mine", source: python("return 2") }, { replace: true });
    expect(second.version).toBe(2);
    expect((await library.get("mine")).source).toContain("return 2");
  });

  test("refuses to replace another version than the one named", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    await library.create({ name: "mine", source: python("return 2") }, { ifVersion: 1 });
    expect(await failure(library.create({ name: "mine", source: python("return 3") }, { ifVersion: 1 }))).toMatchObject(
      {
        code: "skill/conflict",
        details: { version: 2, ifVersion: 1 },
      },
    );
  });

  test("moves a skill that changes its language", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python() });
    const source = "export function run(): number {\n  return 1;\n}\n";
    const moved = await library.create({ name: "mine", source, language: "typescript" }, { replace: true });
    expect(moved).toMatchObject({ language: "typescript", version: 2 });
    expect(await storage.blobs.stat("skills/mine.py")).toBeUndefined();
    expect(await library.list()).toHaveLength(1);
  });
});

describe("two writers at once", () => {
  test.each([1, 2, 3])(
    "[P4] lose nothing: every text becomes a version, and the newest is current (%i)",
    async (seed) => {
      const { library, again } = await openLibrary({ storage: createUnevenStorage(createCountingStorage(), seed) });
      await library.create({ name: "mine", source: python("return 0") });
      const libraries = [library, await again(), await again()];
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          libraries[at % 3]!.create({ name: "mine", source: python(`return ${at + 1}`) }, { replace: true }),
        ),
      );
      const history = await library.history("mine");
      expect(history.map(({ version }) => version)).toEqual(Array.from({ length: 13 }, (_, at) => at + 1));
      const texts = await Promise.all(history.map(({ version }) => library.version("mine", version)));
      const returned = texts.map((text) => Number(/return (\d+)/.exec(text)?.[1]));
      expect(returned.sort((left, right) => left - right)).toEqual(Array.from({ length: 13 }, (_, at) => at));
      const current = await (await again()).get("mine");
      expect(current.version).toBe(13);
      expect(current.source).toBe(await library.version("mine", 13));
    },
  );

  test.each([1, 2, 3])(
    "of which none may replace: one saves, the others are told that it exists (%i)",
    async (seed) => {
      const { library, again } = await openLibrary({ storage: createUnevenStorage(createCountingStorage(), seed) });
      const libraries = [library, await again(), await again()];
      const results = await Promise.allSettled(
        libraries.map((each, at) => each.create({ name: "mine", source: python(`return ${at}`) })),
      );
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      expect(refused).toEqual(["skill/exists", "skill/exists"]);
      expect(await library.history("mine")).toHaveLength(1);
    },
  );
});

describe("deleting and going back", () => {
  test("[P4] deletes a skill and keeps its history", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    expect(await library.delete("mine")).toBe(true);
    expect(await library.delete("mine")).toBe(false);
    expect(await library.delete("../mine")).toBe(false);
    expect(await library.list()).toEqual([]);
    expect(await library.search("mine")).toEqual([]);
    expect(await library.history("mine")).toMatchObject([{ version: 1, language: "python" }]);
    const again = await library.create({ name: "mine", source: python("return 2") });
    expect(again.version).toBe(2);
  });

  test("keeps an edit that nobody had looked at when it is deleted", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    await write(storage, "skills/mine.py", python("return 2"));
    await library.delete("mine");
    expect(await library.version("mine", 2)).toContain("return 2");
  });

  test("keeps an edit that comes in just as it is deleted", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    const remove = storage.blobs.delete;
    let late = 0;
    storage.blobs.delete = async (...args) => {
      if (args[0] === "skills/mine.py" && late++ === 0) await write(storage, args[0], python("return 2"));
      return remove(...args);
    };
    expect(await library.delete("mine")).toBe(true);
    expect(await library.version("mine", 2)).toContain("return 2");
    expect(await library.list()).toEqual([]);
  });

  test("brings an old version back as a new one, from the dead too", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1"), description: "First", tags: ["x"] });
    await library.create({ name: "mine", source: python("return 2"), description: "Second" }, { replace: true });
    expect(await library.rollback("mine", 1)).toMatchObject({ version: 3, description: "First", tags: ["x"] });
    await library.delete("mine");
    const back = await library.rollback("mine", 2);
    expect(back).toMatchObject({ version: 4, description: "Second" });
    expect(back.source).toContain("return 2");
  });

  test("names the versions there are when asked for another", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python() });
    expect(await failure(library.rollback("mine", 4))).toMatchObject({ code: "skill/not-found", hint: "It has: 1." });
    expect(await failure(library.version("never", 1))).toMatchObject({ code: "skill/not-found" });
  });
});
