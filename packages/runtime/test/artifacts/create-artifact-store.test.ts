import { Tuple, type Value } from "@artificer/protocol";
import { describe, expect, test } from "vitest";
import { createArtifactStore } from "../../src/artifacts/create-artifact-store.js";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";

function setUp() {
  const storage = createMemoryStorage();
  const artifacts = createArtifactStore({ storage });
  const file = async (name: string): Promise<string> => {
    const blob = await storage.blobs.read(`artifacts/${name}`);
    let text = "";
    for await (const chunk of blob?.bytes ?? []) text += Buffer.from(chunk).toString();
    return text;
  };
  const place = (name: string, content: string | Uint8Array) =>
    storage.blobs.write(`artifacts/${name}`, typeof content === "string" ? Buffer.from(content) : content);
  return { storage, artifacts, file, place };
}

describe("saving and loading", () => {
  test("a large JSON value is kept without indenting, however deeply it is nested", async () => {
    const { artifacts } = setUp();
    let deep: Value = [];
    for (let depth = 0; depth < 100; depth++) deep = [deep];
    const value = Array.from({ length: 10_000 }, () => deep);
    expect((await artifacts.save("deep", value)).bytes).toBeLessThan(3_000_000);
    expect(await artifacts.load("deep")).toEqual(value);
  });

  test("text is kept as it is [P5]", async () => {
    const { artifacts, file } = setUp();
    const text = "\uFEFFline one\r\nzwei: ü 😀\u0000\n";
    expect(await artifacts.save("notes/a", text)).toMatchObject({
      name: "notes/a",
      kind: "text",
      contentType: "text/plain",
    });
    expect(await file("notes/a")).toBe(text);
    expect(await artifacts.load("notes/a")).toBe(text);
  });

  test("bytes are kept as they are [P5]", async () => {
    const { artifacts, storage } = setUp();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const info = await artifacts.save("raw", bytes);
    expect(info).toMatchObject({ kind: "bytes", contentType: "application/octet-stream", bytes: 256 });
    expect((await storage.blobs.stat("artifacts/raw"))?.size).toBe(256);
    expect(await artifacts.load("raw")).toEqual(bytes);
    expect(await artifacts.load("raw")).toBeInstanceOf(Uint8Array);
  });

  test("JSON values are kept as files that people can read [P5]", async () => {
    const { artifacts, file } = setUp();
    const value = { name: "May", rows: [1, 2.5, null, true], $: "a member of the user's", nested: { "": [] } };
    expect(await artifacts.save("reports/may", value)).toMatchObject({ kind: "json", contentType: "application/json" });
    expect(await file("reports/may")).toBe(`${JSON.stringify(value, undefined, 2)}\n`);
    expect(await artifacts.load("reports/may")).toEqual(value);
    for (const plain of [null, 0, -1.5, false, [], {}]) {
      await artifacts.save("plain", plain);
      expect(await artifacts.load("plain")).toEqual(plain);
    }
  });

  test("all else the codec knows loads back equal [P5]", async () => {
    const { artifacts, file } = setUp();
    const values: Value[] = [
      new Date("2024-05-01T12:00:00.123Z"),
      { inside: new Uint8Array([0, 255]), again: [new Uint8Array([1])] },
      new Set<Value>([1, "two", new Date(0)]),
      new Map<Value, Value>([
        [1, "one"],
        [new Date(0), new Uint8Array([7])],
      ]),
      [10n ** 30n, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      { $type: "array", dtype: "f8", shape: [2], bytes: new Uint8Array(16).fill(3) },
      { $: "int", v: 5n },
    ];
    for (const value of values) {
      expect((await artifacts.save("value", value)).kind).toBe("value");
      expect(await artifacts.load("value")).toEqual(value);
      expect(JSON.parse(await file("value"))).toMatchObject({ artificer: "value/1" });
    }
    await artifacts.save("value", "half a pair: \ud83d");
    expect(await artifacts.load("value")).toBe("half a pair: \ud83d");
    await artifacts.save("value", -0);
    expect(Object.is(await artifacts.load("value"), -0)).toBe(true);
    await artifacts.save("value", Tuple.from([1, "a"]) as Tuple);
    expect(await artifacts.load("value")).toBeInstanceOf(Tuple);
    const typed = await artifacts.save("value", { floats: new Float64Array([1, 2]) } as unknown as Value);
    expect(typed.kind).toBe("value");
    expect(await artifacts.load("value")).toMatchObject({ floats: { $type: "array", dtype: "f8", shape: [2] } });
  });

  test("what the codec does not know is refused with the path, and nothing is saved [P5]", async () => {
    const { artifacts } = setUp();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    await expect(artifacts.save("a", { deep: [() => 1] } as never)).rejects.toMatchObject({
      code: "value/not-encodable",
      details: { path: "$.deep[0]" },
    });
    await expect(artifacts.save("a", cycle as never)).rejects.toMatchObject({ code: "value/cycle" });
    await expect(artifacts.save("a", undefined as never)).rejects.toMatchObject({ code: "value/not-encodable" });
    expect(await artifacts.exists("a")).toBe(false);
  });

  test("the content type is the given one, or what the name's extension says [P5]", async () => {
    const { artifacts } = setUp();
    expect((await artifacts.save("chart.png", new Uint8Array([1]))).contentType).toBe("image/png");
    expect((await artifacts.save("t.csv", "a,b")).contentType).toBe("text/csv");
    expect((await artifacts.save("t.csv", "a,b", { contentType: "text/x-mine" })).contentType).toBe("text/x-mine");
    expect((await artifacts.get("t.csv")).contentType).toBe("text/x-mine");
  });

  test("description and metadata are kept, and replaced as a whole [P5]", async () => {
    const { artifacts } = setUp();
    const saved = await artifacts.save("a", "x", { description: "What it is", metadata: { kind: "mine", n: 1 } });
    expect(saved).toMatchObject({ kind: "text", description: "What it is", metadata: { kind: "mine", n: 1 } });
    expect(await artifacts.get("a")).toEqual(saved);
    expect(await artifacts.list()).toEqual([saved]);
    const again = await artifacts.save("a", "y");
    expect(again.metadata).toEqual({});
    expect(again).not.toHaveProperty("description");
  });
});

describe("files put there by hand", () => {
  test("load by extension and content [P5]", async () => {
    const { artifacts, place } = setUp();
    await place("data.json", '\uFEFF{"a": [1, 2]}');
    await place("notes.md", "# Grüße\n");
    await place("no-extension", "text all the same");
    await place("picture.png", new Uint8Array([0x89, 0x50, 0xff]));
    await place("unknown", new Uint8Array([0xc3, 0x28]));
    expect(await artifacts.load("data.json")).toEqual({ a: [1, 2] });
    expect(await artifacts.load("notes.md")).toBe("# Grüße\n");
    expect(await artifacts.load("no-extension")).toBe("text all the same");
    expect(await artifacts.load("picture.png")).toEqual(new Uint8Array([0x89, 0x50, 0xff]));
    expect(await artifacts.load("unknown")).toEqual(new Uint8Array([0xc3, 0x28]));
    expect((await artifacts.list()).map(({ name, kind, contentType }) => [name, kind, contentType])).toEqual([
      ["data.json", "json", "application/json"],
      ["no-extension", "text", "text/plain"],
      ["notes.md", "text", "text/markdown"],
      ["picture.png", "bytes", "image/png"],
      ["unknown", "bytes", "application/octet-stream"],
    ]);
  });

  test("a value document without its metadata is still the value [P5]", async () => {
    const { artifacts, file, place } = setUp();
    await artifacts.save("a", new Date(0));
    const document = await file("a");
    await place("b", document);
    expect(await artifacts.load("b")).toEqual(new Date(0));
    expect((await artifacts.get("b")).kind).toBe("value");
  });

  test("a changed file is seen for what it is now [P5]", async () => {
    const { artifacts, place } = setUp();
    await place("x", "text");
    expect((await artifacts.get("x")).kind).toBe("text");
    await place("x", new Uint8Array([0xff]));
    expect((await artifacts.get("x")).kind).toBe("bytes");
  });

  test("broken JSON is unreadable, naming the artifact and the line [P5]", async () => {
    const { artifacts, place } = setUp();
    await place("bad.json", '{\n  "a": 1,\n  oops\n}');
    await expect(artifacts.load("bad.json")).rejects.toMatchObject({
      code: "artifact/unreadable",
      message: expect.stringMatching(/bad\.json.*line 3/),
      hint: expect.any(String),
    });
    await place("bad-value", '{"artificer": "value/1", "value": {"$": "nonsense"}}');
    await expect(artifacts.load("bad-value")).rejects.toMatchObject({ code: "artifact/unreadable" });
    expect((await artifacts.list()).map(({ name }) => name)).toEqual(["bad-value", "bad.json"]);
  });

  test("text whose bytes became something else is unreadable rather than garbled [P5]", async () => {
    const { artifacts, storage } = setUp();
    await artifacts.save("a.txt", "text");
    const { metadata } = (await storage.blobs.stat("artifacts/a.txt")) ?? {};
    await storage.blobs.write("artifacts/a.txt", new Uint8Array([0xff, 0xfe]), { metadata });
    await expect(artifacts.load("a.txt")).rejects.toMatchObject({ code: "artifact/unreadable" });
  });
});

describe("names", () => {
  test("nest, list by prefix in order, and delete one by one [P5]", async () => {
    const { artifacts, storage } = setUp();
    await storage.blobs.write("skills/s.py", Buffer.from("no artifact"));
    for (const name of ["reports/2024/may", "reports/2024", "reports", "a", "Übung/x"])
      await artifacts.save(name, name);
    expect((await artifacts.list()).map(({ name }) => name)).toEqual([
      "a",
      "reports",
      "reports/2024",
      "reports/2024/may",
      "Übung/x",
    ]);
    expect((await artifacts.list({ prefix: "reports/" })).map(({ name }) => name)).toEqual([
      "reports/2024",
      "reports/2024/may",
    ]);
    expect(await artifacts.delete("reports")).toBe(true);
    expect(await artifacts.delete("reports")).toBe(false);
    expect(await artifacts.exists("reports")).toBe(false);
    expect(await artifacts.load("reports/2024/may")).toBe("reports/2024/may");
    expect(await artifacts.load("U\u0308bung/x")).toBe("Übung/x");
  });

  test("that leave their place are refused by every call, with a name that would do [P5]", async () => {
    const { artifacts, storage } = setUp();
    const bad = [
      "",
      "../x",
      "/etc/passwd",
      "a/../../x",
      "a//b",
      ".hidden",
      "a\\b",
      "a\u0000b",
      " a",
      "x".repeat(600),
      7 as never,
    ];
    for (const name of bad) {
      const refused = { code: "artifact/invalid-name", hint: expect.stringContaining("e.g.") };
      await expect(artifacts.save(name, "x")).rejects.toMatchObject(refused);
      await expect(artifacts.load(name)).rejects.toMatchObject(refused);
      await expect(artifacts.get(name)).rejects.toMatchObject(refused);
      await expect(artifacts.exists(name)).rejects.toMatchObject(refused);
      await expect(artifacts.delete(name)).rejects.toMatchObject(refused);
    }
    await expect(artifacts.save("../etc\\passwd", "x")).rejects.toMatchObject({
      details: { suggestion: "etc/passwd" },
    });
    expect((await storage.blobs.list("")).items).toEqual([]);
  });

  test("that are not there are artifact/not-found, naming the nearest [P5]", async () => {
    const { artifacts } = setUp();
    await expect(artifacts.load("a")).rejects.toMatchObject({
      code: "artifact/not-found",
      hint: expect.stringContaining("save"),
    });
    for (const name of ["reports/may.json", "reports/june.json", "chart.png"]) await artifacts.save(name, name);
    await expect(artifacts.load("report/may.json")).rejects.toMatchObject({
      code: "artifact/not-found",
      hint: expect.stringContaining('"reports/may.json"'),
    });
    await expect(artifacts.get("chart")).rejects.toMatchObject({ details: { nearest: ["chart.png"] } });
    await expect(artifacts.get("completely else")).rejects.toMatchObject({ details: { nearest: [] } });
  });
});

describe("two writers", () => {
  test("ifAbsent refuses to replace [P5]", async () => {
    const { artifacts } = setUp();
    await artifacts.save("a", 1, { ifAbsent: true });
    await expect(artifacts.save("a", 2, { ifAbsent: true })).rejects.toMatchObject({
      code: "artifact/exists",
      message: expect.stringContaining('"a"'),
      hint: expect.any(String),
    });
    expect(await artifacts.load("a")).toBe(1);
    await expect(artifacts.save("a", 2, { ifAbsent: true, ifRevision: "x" })).rejects.toMatchObject({
      code: "usage/invalid-argument",
    });
  });

  test("ifRevision refuses to replace another version, or to bring back a deleted one [P5]", async () => {
    const { artifacts } = setUp();
    const first = await artifacts.save("a", 1);
    const second = await artifacts.save("a", 2, { ifRevision: first.revision });
    await expect(artifacts.save("a", 3, { ifRevision: first.revision })).rejects.toMatchObject({
      code: "artifact/conflict",
    });
    expect(await artifacts.load("a")).toBe(2);
    await artifacts.delete("a");
    await expect(artifacts.save("a", 3, { ifRevision: second.revision })).rejects.toMatchObject({
      code: "artifact/conflict",
    });
  });

  test("that each add to one list with ifRevision lose nothing [P5]", async () => {
    const { artifacts } = setUp();
    await artifacts.save("list", []);
    const add = async (item: number) => {
      for (;;) {
        const { revision } = await artifacts.get("list");
        const list = (await artifacts.load("list")) as number[];
        try {
          return await artifacts.save("list", [...list, item], { ifRevision: revision });
        } catch (error) {
          expect(error).toMatchObject({ code: "artifact/conflict" });
        }
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, item) => add(item)));
    expect(new Set((await artifacts.load("list")) as number[]).size).toBe(20);
  });

  test("an abort throws the signal's own reason [P5]", async () => {
    const { artifacts } = setUp();
    await expect(artifacts.save("a", 1, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    expect(await artifacts.exists("a")).toBe(false);
  });
});
