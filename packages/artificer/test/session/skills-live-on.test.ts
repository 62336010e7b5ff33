import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

const shop = createToolkit({
  name: "shop",
  description: "Prices",
  tools: {
    price: defineTool({
      description: "The price of an article",
      input: z.object({ article: z.string() }),
      effect: "read",
      run: async ({ article }) => article.length,
    }),
  },
});

const total = [
  "def run(articles: list, note: str = '') -> int:",
  "    sum_ = sum(tools.shop.price(article=a) for a in articles)",
  "    artifacts.save('last_total', {'sum': sum_, 'note': note})",
  "    return sum_",
  "",
].join("\n");

describe("a skill", () => {
  it("saved in one session is found by meaning in the next, called by it, and built upon [P4] [P9]", async () => {
    const base = await temp();
    {
      await using session = await Session.fromBase(base, { tools: [shop] });
      const created = await session.run(
        `skills.create(name="basket_total", description="Work out what a customer has to pay", source=${JSON.stringify(total)})["version"]`,
      );
      expect(created.error).toBeUndefined();
      expect(created.value).toBe(1);
      await session.createSkill({
        name: "rotate_image",
        description: "Turn a picture by ninety degrees",
        source: "def run(path: str):\n    return path\n",
      });
    }
    await using session = await Session.fromBase(base, { tools: [shop] });
    const [best] = await session.searchSkills("how much money does the shopper owe?");
    expect(best).toMatchObject({
      name: "basket_total",
      language: "python",
      signature: "basket_total(articles: list, note: str = '') -> int",
    });
    const invoked = await session.invokeSkill("basket_total", { articles: ["egg", "bread"], note: "today" });
    expect(invoked).toMatchObject({ status: "completed", value: 8 });
    expect(invoked.toolCalls.map(({ tool }) => tool)).toEqual(["shop.price", "shop.price"]);
    expect(await session.loadArtifact("last_total")).toEqual({ sum: 8, note: "today" });
    const composed = await session.run(
      `skills.create(name="two_baskets", description="Compare two baskets", source='def run(a: list, b: list) -> bool:\\n    return skills.invoke("basket_total", articles=a) > skills.basket_total(articles=b)\\n')\nskills.two_baskets(a=["egg"], b=["butter"])`,
    );
    expect(composed.error).toBeUndefined();
    expect(composed.value).toBe(false);
    expect((await session.listSkills()).find(({ name }) => name === "basket_total")?.lifecycle).not.toBe("draft");
  });

  it("is a file that people edit: the next call runs what it says then [P4]", async () => {
    const base = await temp();
    await using session = await Session.fromBase(base, { embedder: null });
    await session.createSkill({ name: "answer", description: "The answer", source: "def run():\n    return 41\n" });
    expect(await session.run("skills.answer()")).toMatchObject({ value: 41 });
    const file = join(base, "skills", "answer.py");
    await writeFile(file, (await readFile(file, "utf8")).replace("41", "42"));
    expect(await session.run("skills.answer()")).toMatchObject({ value: 42 });
  });

  it.each([
    ["without run", { name: "no_run", source: "x = 1\n" }, "skill/no-run"],
    ["with a syntax error", { name: "broken", source: "def run(:\n" }, "skill/syntax"],
    ["with a name that is a path", { name: "../escape", source: "def run(): pass\n" }, "skill/invalid-name"],
  ])("%s is refused, from the host and from a cell, with the way to mend it", async (_, draft, code) => {
    await using session = await Session.fromBase(await temp(), { embedder: null });
    await expect(session.createSkill({ ...draft, description: "d" })).rejects.toMatchObject({
      code,
      hint: expect.any(String),
    });
    const outcome = await session.run(
      `skills.create(name=${JSON.stringify(draft.name)}, description="d", source=${JSON.stringify(draft.source)})`,
    );
    expect(outcome).toMatchObject({ status: "failed", error: { type: "SkillError" } });
    expect(await session.listSkills()).toEqual([]);
  });

  it("is never run by the host: neither when it is saved, listed, searched nor read [P4]", async () => {
    const base = await temp();
    const trace = join(base, "ran");
    await using session = await Session.fromBase(base, { embedder: null });
    const source = `open(${JSON.stringify(trace)}, "a").write("ran")\n\ndef run():\n    return 1\n`;
    await session.createSkill({ name: "tracer", description: "d", source });
    await session.listSkills();
    await session.searchSkills("tracer");
    await session.getSkill("tracer");
    await expect(readFile(trace)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await session.run("skills.tracer()")).toMatchObject({ value: 1 });
    expect(await readFile(trace, "utf8")).toBe("ran");
  });

  it("that calls itself without end is refused with the chain, not by a crash", async () => {
    await using session = await Session.fromBase(await temp(), { embedder: null });
    await session.createSkill({ name: "ping", description: "d", source: "def run():\n    return skills.pong()\n" });
    await session.createSkill({ name: "pong", description: "d", source: "def run():\n    return skills.ping()\n" });
    const outcome = await session.run("skills.ping()");
    expect(outcome.status).toBe("failed");
    expect(outcome.traceback).toMatch(/ping.*pong/s);
    expect(await session.run("1")).toMatchObject({ value: 1, generation: 1 });
  });
});

describe("an artifact", () => {
  it("passes between cells, sessions and the host: text, JSON and bytes [P5]", async () => {
    const base = await temp();
    {
      await using session = await Session.fromBase(base, { embedder: null });
      const outcome = await session.run(
        'artifacts.save("notes.txt", "grüße")\nartifacts.save("data/rows", [{"n": 1}])\nartifacts.save("raw.bin", bytes(range(256)), description="all bytes")["bytes"]',
      );
      expect(outcome.value).toBe(256);
    }
    await using session = await Session.fromBase(base, { embedder: null });
    expect(await session.loadArtifact("notes.txt")).toBe("grüße");
    expect(await session.loadArtifact("data/rows")).toEqual([{ n: 1 }]);
    expect(await session.loadArtifact("raw.bin")).toEqual(Uint8Array.from({ length: 256 }, (_, index) => index));
    expect((await session.listArtifacts()).map(({ name }) => name)).toEqual(["data/rows", "notes.txt", "raw.bin"]);
    expect((await session.run('artifacts.load("raw.bin")[:3]')).value).toEqual(new Uint8Array([0, 1, 2]));
    expect(await readFile(join(base, "artifacts", "notes.txt"), "utf8")).toBe("grüße");
  });

  it("whose name leads out of the folder is refused, in cells and on the host [P5]", async () => {
    await using session = await Session.fromBase(await temp(), { embedder: null });
    for (const name of ["../x", "/etc/x", "a/../../x", ".state/x"]) {
      await expect(session.saveArtifact(name, "x")).rejects.toMatchObject({ code: "artifact/invalid-name" });
      expect(await session.run(`artifacts.save(${JSON.stringify(name)}, "x")`)).toMatchObject({
        status: "failed",
        error: { type: "ArtifactError" },
      });
    }
  });

  it("changed by two at once loses nothing: the second is told [P5]", async () => {
    await using session = await Session.fromBase(await temp(), { embedder: null });
    const { revision } = await session.saveArtifact("counter", 1);
    await session.saveArtifact("counter", 2, { ifRevision: revision });
    await expect(session.saveArtifact("counter", 3, { ifRevision: revision })).rejects.toMatchObject({
      code: "artifact/conflict",
    });
    const outcome = await session.run(`artifacts.save("counter", 9, if_revision=${JSON.stringify(revision)})`);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "cell/exception" } });
    expect(await session.loadArtifact("counter")).toBe(2);
  });
});
