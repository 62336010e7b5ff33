import { ArtificerError } from "@artificer/protocol";
import { describe, expect, test } from "vitest";
import { failure, openLibrary, python, read, write } from "../support/skill-library.js";

describe("listing", () => {
  test("[P4] shows skills of earlier sessions, sorted by name, and by tag", async () => {
    const { library, again } = await openLibrary();
    await library.create({ name: "b", source: python(), tags: ["x"] });
    await library.create({ name: "a", source: python() });
    const later = await again();
    expect((await later.list()).map(({ name }) => name)).toEqual(["a", "b"]);
    expect((await later.list({ tag: "x" })).map(({ name }) => name)).toEqual(["b"]);
  });

  test("[P9] reads, analyses and embeds nothing that is unchanged, in this session or a later one", async () => {
    const { library, again, storage, analyzer, embedder } = await openLibrary();
    for (const name of ["one", "two", "three", "four"])
      await library.create({ name, source: python(), description: `The ${name} of them` });
    await library.search("the two of them");
    const check = async (opened: typeof library) => {
      storage.reset();
      analyzer.analysed.length = 0;
      embedder.embedded.length = 0;
      await opened.list();
      await opened.search("three");
      await opened.list();
      expect(storage.counts.blobsRead.filter((key) => key.startsWith("skill"))).toEqual([]);
      expect(storage.counts).toMatchObject({ blobWrites: 0, recordWrites: 0 });
      expect(analyzer.analysed).toEqual([]);
      expect(embedder.embedded).toEqual(["three"]);
    };
    await check(library);
    await check(await again());
  });

  test("[P9] reads, analyses and embeds exactly what somebody changed, added or removed", async () => {
    const { library, storage, analyzer, embedder } = await openLibrary();
    for (const name of ["one", "two", "three"])
      await library.create({ name, source: python(), description: `Part ${name}` });
    await library.search("part");
    await write(storage, "skills/two.py", `# ---\n# description: A new picture\n# ---\n${python("return 22")}`);
    await write(storage, "skills/extra.py", python("return 4"));
    await storage.blobs.delete("skills/three.py");
    storage.reset();
    analyzer.analysed.length = 0;
    embedder.embedded.length = 0;
    const found = await library.search("photograph");
    expect(found[0]).toMatchObject({ name: "two", version: 2, description: "A new picture" });
    expect(storage.counts.blobsRead.filter((key) => key.startsWith("skills/")).sort()).toEqual([
      "skills/extra.py",
      "skills/two.py",
    ]);
    expect(analyzer.analysed).toHaveLength(2);
    expect(embedder.embedded.sort()).toEqual(["extra: ", "photograph", "two: A new picture"]);
    expect((await library.list()).map(({ name }) => name)).toEqual(["extra", "one", "two"]);
  });

  test("[P4] shows a file that can't be used with the reason, beside those that can", async () => {
    const { library, storage, problems } = await openLibrary({ limits: { maxBytes: 400 } });
    await write(storage, "skills/fine.py", python());
    await write(storage, "skills/broken.py", "# a comment\ndef run(:\n");
    await write(storage, "skills/empty.py", "");
    await write(storage, "skills/large.py", python(`return "${"x".repeat(400)}"`));
    await write(storage, "skills/My-Skill.py", python());
    await write(storage, "skills/renamed.py", `# ---\n# name: original\n# ---\n${python()}`);
    await write(storage, "skills/typo.py", `# ---\n# desciption: x\n# ---\n${python()}`);
    await write(storage, "skills/sub/deep.py", python());
    await write(storage, "skills/README.md", "not a skill");
    await write(storage, "skills/__pycache__/fine.cpython-311.pyc", "bytes");
    await write(storage, "skills/__init__.py", "");
    const listed = await library.list();
    expect(Object.fromEntries(listed.map(({ name, problem }) => [name, problem?.code]))).toEqual({
      "My-Skill": "skill/invalid-name",
      broken: "skill/syntax",
      empty: "skill/no-run",
      fine: undefined,
      large: "skill/too-large",
      renamed: "skill/invalid-front-matter",
      typo: "skill/invalid-front-matter",
    });
    expect(listed.find(({ name }) => name === "typo")?.problem).toMatchObject({
      message: expect.stringMatching(/"desciption" on line 2/),
      hint: "Did you mean description?",
    });
    expect(problems.filter((message) => message.includes("left out"))).toEqual([
      expect.stringMatching(/skills\/sub\/deep\.py/),
    ]);
    expect((await library.search("fine")).map(({ name }) => name)).toEqual(["fine"]);
    expect(await failure(library.load("broken", []))).toMatchObject({ code: "skill/syntax" });
  });

  test("lists skills although there is no interpreter to analyse them, and mends that by itself later", async () => {
    const { library, again, storage, analyzer } = await openLibrary();
    await write(storage, "skills/one.py", `# ---\n# description: Crop a picture\n# ---\n${python("return 1", "path")}`);
    await write(storage, "skills/two.py", python());
    analyzer.missing = new ArtificerError("kernel/interpreter-missing", "There is no Python here.", {
      hint: "Install it.",
    });
    expect((await library.list()).map(({ problem }) => problem)).toEqual([
      { code: "kernel/interpreter-missing", message: "There is no Python here.", hint: "Install it." },
      { code: "kernel/interpreter-missing", message: "There is no Python here.", hint: "Install it." },
    ]);
    expect((await library.search("photograph"))[0]).toMatchObject({ name: "one" });
    expect(await failure(library.create({ name: "mine", source: python() }))).toMatchObject({
      code: "kernel/interpreter-missing",
    });
    analyzer.missing = undefined;
    storage.reset();
    expect((await library.list()).map(({ problem }) => problem)).toEqual([undefined, undefined]);
    expect(storage.counts.blobReads).toBe(0);
    expect((await (await again()).get("one")).signature).toBe("one(path)");
  });

  test("goes on when what it knows can't be stored, and says so once", async () => {
    const { storage, problems, again } = await openLibrary();
    await write(storage, "skills/one.py", python());
    await write(storage, "skills/two.py", python());
    const refuse = async () => {
      throw new ArtificerError("storage/read-only", "The folder can't be written to.");
    };
    storage.records.put = refuse;
    storage.blobs.write = refuse;
    const library = await again();
    expect((await library.list()).map(({ name, problem }) => [name, problem])).toEqual([
      ["one", undefined],
      ["two", undefined],
    ]);
    expect(problems.filter((message) => message.includes("can't be written"))).toHaveLength(1);
  });

  test("reads a skill again when what was stored of it is damaged", async () => {
    const { library, again, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1", "path") });
    await storage.records.put("skill-index/mine", { format: 1, name: "mine", tags: "no list" });
    expect((await (await again()).list())[0]).toMatchObject({ name: "mine", signature: "mine(path)", version: 1 });
  });
});

describe("a file that people edit", () => {
  test.each([
    ["plain", "---\ndescription: Crop\n---\n", 3],
    ["commented", "# ---\n# description: Crop\n# ---\n", 3],
    ["after a shebang", "#!/usr/bin/env python3\n\n# ---\n# description: Crop\n# ---\n", 5],
    ["with Windows line ends", "# ---\r\n# description: Crop\r\n# ---\r\n", 3],
  ])("may have front matter that is %s, and runs with the file's own line numbers", async (_, header, lines) => {
    const { library, storage } = await openLibrary();
    await write(storage, "skills/crop.py", `${header}${python()}`);
    expect(await library.get("crop")).toMatchObject({ description: "Crop", source: `${header}${python()}` });
    const { source } = await library.load("crop", []);
    expect(source.split("\n").indexOf("def run():")).toBe(lines);
    expect(source).not.toContain("description");
  });

  test("becomes the next version, keeping the one before", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    const before = await read(storage, "skills/mine.py");
    await write(storage, "skills/mine.py", before.replace("return 1", "return 2"));
    expect((await library.get("mine")).version).toBe(2);
    expect(await library.version("mine", 1)).toBe(before);
    expect(await library.version("mine", 2)).toContain("return 2");
  });

  test("keeps a version number that its front matter begins with", async () => {
    const { library, storage } = await openLibrary();
    await write(storage, "skills/mine.py", `# ---\n# version: 7\n# ---\n${python()}`);
    expect((await library.get("mine")).version).toBe(7);
    expect((await library.create({ name: "mine", source: python() }, { replace: true })).version).toBe(8);
  });

  test("becomes one version however many processes see the edit", async () => {
    const { library, again, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    const others = [library, await again(), await again(), await again()];
    await Promise.all(others.map((each) => each.list()));
    await write(storage, "skills/mine.py", python("return 2"));
    const versions = await Promise.all(others.map(async (each) => (await each.get("mine")).version));
    expect(versions).toEqual([2, 2, 2, 2]);
    expect(await library.history("mine")).toHaveLength(2);
  });

  test("becomes the version after the one that another process saves at that moment", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    await write(storage, "skills/mine.py", python("return 3"));
    const put = storage.blobs.write;
    let early = 0;
    storage.blobs.write = async (...args) => {
      if (args[0] === "skill-versions/mine/2.py" && early++ === 0)
        await put(args[0], new TextEncoder().encode(python("return 2")));
      return put(...args);
    };
    expect((await library.get("mine")).version).toBe(3);
    expect(await library.version("mine", 2)).toContain("return 2");
    expect(await library.version("mine", 3)).toContain("return 3");
  });

  test("is seen by load without listing all the others", async () => {
    const { library, storage } = await openLibrary();
    await library.create({ name: "mine", source: python("return 1") });
    await write(storage, "skills/mine.py", python("return 2"));
    storage.reset();
    expect((await library.load("mine", [])).source).toContain("return 2");
    await library.load("mine", []);
    expect(storage.counts.blobsRead.filter((key) => key === "skills/mine.py")).toHaveLength(1);
  });
});

describe("getting and loading", () => {
  test("names the nearest skills when there is none of that name", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "collect_terms", source: python() });
    expect(await failure(library.get("colect_terms"))).toMatchObject({
      code: "skill/not-found",
      hint: "Did you mean collect_terms?",
    });
    expect(await failure(library.get("../x"))).toMatchObject({ code: "skill/not-found" });
    expect(await failure(library.load("violoncello", []))).toMatchObject({
      hint: expect.stringContaining("skills.list"),
    });
  });

  test("refuses a cycle, naming the chain", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "a", source: python() });
    const error = await failure(library.load("a", ["a", "b"]));
    expect(error).toMatchObject({ code: "skill/cycle", details: { chain: ["a", "b", "a"] } });
    expect(error.message).toContain("a -> b -> a");
  });

  test("refuses too deep a chain, and allows one just within", async () => {
    const { library } = await openLibrary({ limits: { maxDepth: 3 } });
    await library.create({ name: "d", source: python() });
    expect(await library.load("d", ["a", "b"])).toMatchObject({ name: "d", version: 1 });
    expect(await failure(library.load("d", ["a", "b", "c"]))).toMatchObject({ code: "skill/too-deep" });
  });
});

describe("searching", () => {
  test("[P4] [P9] finds a skill by a description that shares no word with its name, in a later session", async () => {
    const { library, again } = await openLibrary();
    await library.create({ name: "crop", source: python(), description: "Cut a picture to a square" });
    await library.create({ name: "umbrella", source: python(), description: "Tell whether it will rain" });
    const [first] = await (await again()).search("photograph");
    expect(first).toMatchObject({ name: "crop", version: 1, lifecycle: "draft" });
    expect(first!.score).toBeGreaterThan(0);
  });

  test("finds by tag, parameter and documentation", async () => {
    const { library } = await openLibrary({ embedder: undefined });
    await library.create({ name: "a", source: python(), tags: ["zebra"] });
    await library.create({ name: "b", source: python("return 1", "giraffe_height") });
    await library.create({ name: "c", source: 'def run():\n    """Counts elephants."""\n', description: "Other" });
    expect((await library.search("zebras")).map(({ name }) => name)).toEqual(["a"]);
    expect((await library.search("giraffe")).map(({ name }) => name)).toEqual(["b"]);
    expect((await library.search("elephant")).map(({ name }) => name)).toEqual(["c"]);
  });

  test("learns from the searches that led to a success, not from those that led to a failure", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "a", source: python(), description: "One thing" });
    await library.create({ name: "b", source: python(), description: "Another thing" });
    await library.used({ name: "a", version: 1, ok: false, ms: 1, query: "zeppelin" });
    await library.used({ name: "b", version: 1, ok: true, ms: 1, query: "zeppelin" });
    expect((await library.search("a zeppelin"))[0]?.name).toBe("b");
  });
});

describe("use", () => {
  const use = { name: "mine", version: 1, ok: true, ms: 3 };

  test("makes a draft tested by one success and trusted by five in a row, also in later sessions", async () => {
    const { library, again } = await openLibrary();
    await library.create({ name: "mine", source: python() });
    const lifecycle = async (opened = library) => (await opened.get("mine")).lifecycle;
    await library.used(use);
    expect(await lifecycle()).toBe("tested");
    for (let time = 0; time < 3; time++) await library.used(use);
    expect(await lifecycle()).toBe("tested");
    await library.used(use);
    expect(await lifecycle()).toBe("trusted");
    expect(await lifecycle(await again())).toBe("trusted");
  });

  test("takes a step back for each failure, and begins a new row", async () => {
    const { library } = await openLibrary({ limits: { trustedAfter: 2 } });
    await library.create({ name: "mine", source: python() });
    const after = async (...results: boolean[]) => {
      for (const ok of results) await library.used({ ...use, ok });
      return (await library.get("mine")).lifecycle;
    };
    expect(await after(true, true)).toBe("trusted");
    expect(await after(false)).toBe("tested");
    expect(await after(true)).toBe("tested");
    expect(await after(true)).toBe("trusted");
    expect(await after(false, false)).toBe("draft");
  });

  test("speaks of one version: a new one is a draft again, and late news of an old one leave it so", async () => {
    const { library } = await openLibrary();
    await library.create({ name: "mine", source: python() });
    await library.used(use);
    await library.create({ name: "mine", source: python("return 2") }, { replace: true });
    expect((await library.get("mine")).lifecycle).toBe("draft");
    await library.used({ ...use, version: 2, ok: true });
    await library.used({ ...use, version: 1, ok: false });
    expect((await library.get("mine")).lifecycle).toBe("tested");
  });

  test("counts every run of many at once, from two processes, in fewer writes than runs", async () => {
    const { library, again, storage } = await openLibrary();
    await library.create({ name: "mine", source: python() });
    const other = await again();
    storage.reset();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? library : other).used({ ...use, ok: at !== 7, error: "x" })),
    );
    const stored = await storage.records.get("skill-usage/mine");
    expect(stored?.value).toMatchObject({ uses: 40, failures: 1, totalMs: 120 });
    expect(storage.counts.recordWrites).toBeLessThan(40);
  });

  test("of a skill that is gone is nothing to throw about", async () => {
    const { library, storage } = await openLibrary();
    await library.used({ ...use, query: "x" });
    await library.used({ ...use, name: "../x" });
    expect((await storage.records.list("skill-usage/")).items).toEqual([]);
  });
});
