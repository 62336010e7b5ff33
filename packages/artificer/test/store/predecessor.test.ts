import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Session } from "../../src/session/session.js";
import { type ImportSource, openImport, openPeer, transferStores } from "../../src/store/index.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-predecessor-"));
let redis: Service;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const skill = `"""Greets somebody.

At length."""


async def run(name: str = "World") -> str:
    return f"Hello, {name}!"
`;

const tool = `name: hello
command: echo
timeout: 5
parallel: true
schema:
  positional:
    - {name: text, type: str, required: true}
  options:
    count: {type: int, short: n, flagg: "-n"}
recipes:
  run:
    description: Says it
    params: {text: {}}
`;

const mcp = "name: clock\ntype: mcp\ntransport: sse\nurl: https://example.org/sse\nnamespace: time\n";

function layOut(base: string): void {
  for (const name of ["skills", "tools", "artifacts/scans", "deps"]) mkdirSync(join(base, name), { recursive: true });
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(base, name), text);
  write("skills/greetSomebody.py", skill);
  write("skills/_private.py", "x = 1\n");
  write("skills/broken.py", "def other(): ...\n");
  write("tools/hello.yaml", tool);
  write("tools/clock.yaml", mcp);
  write("tools/old.yaml", "name: old\nargs: '{x}'\nrecipes: [1]\n");
  write("requirements.txt", "six==1.16.0\n# a comment\n");
  write("deps/requirements.txt", "attrs\nsix==1.16.0\n");
  write("artifacts/scans/net.json", '{"hosts": 3}');
  write("artifacts/blob.bin", new Uint8Array([0, 159, 146, 150]));
  write("artifacts/by-hand.txt", "never registered");
  const index = {
    "scans/net.json": {
      description: "A scan",
      created_at: "2026-01-02T03:04:05+00:00",
      metadata: { _data_type: "json", by: "nmap" },
    },
    "blob.bin": { description: "", created_at: "2026-01-02T03:04:05+00:00", metadata: { _data_type: "bytes" } },
  };
  write("artifacts/.artifacts.json", JSON.stringify(index));
}

async function bringInto(base: string, source: ImportSource) {
  const target = await openPeer(base);
  const kinds = ["skills", "tools", "deps", "artifacts"] as const;
  const report = await transferStores(target, source, { direction: "pull", kinds });
  await target.close();
  await source.close();
  return report;
}

const told = ({ items }: ImportSource) =>
  Object.fromEntries(items.map(({ name, id, notes }) => [name, { id, notes: notes.join("; ") }]));

describe("What py-code-mode kept", () => {
  it("in a folder is brought over and works: skills found and called, tools, artifacts, deps; each item is told [P12]", async () => {
    const old = join(folder, "old");
    layOut(old);
    const source = await openImport(`py-code-mode:${old}`);
    const items = told(source);
    expect(items.greetSomebody).toMatchObject({
      id: "skills/greet_somebody",
      notes: expect.stringContaining("greet_somebody here"),
    });
    expect(items.broken).toMatchObject({ id: "skills/broken", notes: expect.stringContaining("no function run") });
    expect(items.hello).toMatchObject({
      id: "tools/hello.yaml",
      notes: expect.stringContaining("type: str became string"),
    });
    expect(items.hello?.notes).toContain("parallel was taken out");
    expect(items.hello?.notes).toContain("escapeHatch: false");
    expect(items.clock).toMatchObject({ id: "tools/clock.yaml", notes: expect.stringContaining("namespace") });
    expect(items.old).toMatchObject({ id: undefined, notes: expect.stringContaining("left out") });
    expect(items).not.toHaveProperty("_private");
    const base = join(folder, "base");
    expect((await bringInto(base, source)).conflicts).toEqual([]);

    const session = await Session.fromBase(base, { embedder: null });
    try {
      expect(session.problems.filter(({ message }) => message.includes("hello"))).toEqual([]);
      expect((await session.searchSkills("greets somebody"))[0]).toMatchObject({
        name: "greet_somebody",
        description: "Greets somebody.",
      });
      const outcome = await session.run(
        'text = await skills.invoke("greet_somebody", name="Ada") if False else skills.greet_somebody(name="Ada")\n[text, tools.hello.run(text="hi"), artifacts.load("scans/net.json"), artifacts.get("scans/net.json")["description"], [d["spec"] for d in deps.list()], artifacts.load("by-hand.txt")]',
      );
      expect(outcome.toJSON()).toMatchObject({
        status: "completed",
        value: ["Hello, Ada!", "hi\n", { hosts: 3 }, "A scan", ["six==1.16.0", "attrs"], "never registered"],
      });
      expect(await session.loadArtifact("blob.bin")).toEqual(new Uint8Array([0, 159, 146, 150]));
    } finally {
      await session.close();
    }
  }, 120_000);

  it("in Redis is read from its own keys, which are left as they are [P12]", async () => {
    const prefix = `old${randomBytes(6).toString("hex")}`;
    const client = createClient({ url: redis.url });
    await client.connect();
    const json = JSON.stringify;
    await client.hSet(
      `${prefix}:skills:__skills__`,
      "greet",
      json({ name: "greet", description: "Greets by name", source: skill }),
    );
    await client.hSet(
      `${prefix}:__tools__`,
      "hello",
      json({
        name: "hello",
        command: "echo",
        recipes: { say: { params: { text: {} } } },
        schema: { positional: [{ name: "text" }] },
      }),
    );
    await client.sAdd(`${prefix}:deps:deps`, ["six", "attrs"]);
    await client.set(`${prefix}:artifacts:report.json`, '{"n":1}');
    await client.hSet(
      `${prefix}:artifacts:__index__`,
      "report.json",
      json({ description: "R", created_at: "2026-01-01T00:00:00Z", metadata: { _data_type: "json" } }),
    );
    const before = (await client.keys(`*${prefix}*`)).sort();

    const source = await openImport(`py-code-mode+${redis.url}?prefix=${prefix}`);
    expect(told(source)).toMatchObject({
      greet: { id: "skills/greet" },
      hello: { id: "tools/hello.yaml" },
      "requirements.txt": { id: "requirements.txt" },
      "report.json": { id: "artifacts/report.json" },
    });
    const base = join(folder, "from-redis");
    await bringInto(base, source);
    expect((await client.keys(`*${prefix}*`)).sort()).toEqual(before);
    await client.close();
    const session = await Session.fromBase(base, { embedder: null });
    try {
      expect(await session.getSkill("greet")).toMatchObject({ description: "Greets by name", version: 1 });
      expect((await session.listTools()).map(({ path }) => path)).toContain("hello.say");
      expect((await session.listDeps()).map(({ spec }) => spec)).toEqual(["attrs", "six"]);
      expect(await session.loadArtifact("report.json")).toEqual({ n: 1 });
    } finally {
      await session.close();
    }
  }, 120_000);

  it("is refused by name where there is nothing of it", async () => {
    mkdirSync(join(folder, "empty"));
    await expect(openImport(`py-code-mode:${join(folder, "empty")}`)).rejects.toMatchObject({
      code: "usage/invalid-argument",
    });
    await expect(openImport("py-code-mode+mysql://x")).rejects.toMatchObject({ code: "usage/invalid-argument" });
  });
});
