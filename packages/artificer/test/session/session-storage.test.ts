import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, startPostgres, startRedis } from "@artificer/testkit/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diagnose } from "../../src/doctor/index.js";
import { Session } from "../../src/session/session.js";
import { openPeer, transferStores } from "../../src/store/index.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-session-storage-"));
let redis: Service;
let postgres: Service;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([redis?.stop(), postgres?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const tool = (word: string) => `name: shared\ncommand: echo\nrecipes:\n  say: {args: [${word}]}\n`;
const source = 'def run() -> str:\n    """Says where it comes from."""\n    return "from the store"\n';
const home = join(folder, "home");

function base(name: string, files: Record<string, string> = {}): string {
  const path = join(folder, name);
  mkdirSync(join(path, "tools"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

/** The server's URL with a part of our own. */
const part = () => `?prefix=${randomBytes(6).toString("hex")}`;

describe("A session on a store", () => {
  it("finds the tools, skills and configuration that a push brought there, from another machine's base [P11] [P12]", async () => {
    const url = `${redis.url}${part()}`;
    const author = base("author", {
      "tools/shared.yaml": tool("from-the-store"),
      "config.yaml": "code_execution: {max_tool_calls: 3}\n",
    });
    const first = await Session.fromBase(author, { embedder: null, home });
    await first.createSkill({ name: "whence", description: "Says where it comes from", source });
    await first.close();
    const [local, remote] = [await openPeer(author), await openPeer(url)];
    await transferStores(local, remote, { direction: "push", kinds: ["skills", "tools", "config"] });
    await Promise.all([local.close(), remote.close()]);

    const other = base("other", { "config.yaml": `storage: "\${STORE}"\n` });
    const session = await Session.fromBase(other, { embedder: null, home, hostEnv: { ...process.env, STORE: url } });
    try {
      expect(session.problems).toEqual([]);
      const outcome = await session.run("[skills.whence(), tools.shared.say()]");
      expect(outcome.toJSON()).toMatchObject({ status: "completed", value: ["from the store", "from-the-store\n"] });
      const many = await session.run("[tools.shared.say() for _ in range(5)]");
      expect(many.toJSON()).toMatchObject({ status: "failed", error: { message: expect.stringContaining("3") } });
      await session.saveArtifact("kept", { where: "there" });
    } finally {
      await session.close();
    }
    expect(existsSync(join(other, "artifacts", "kept"))).toBe(false);
    const third = await Session.fromBase(base("third"), { embedder: null, home, storage: url });
    expect(await third.loadArtifact("kept")).toEqual({ where: "there" });
    await third.close();
  }, 120_000);

  it("prefers the folder's own definitions to the store's, and tells of a name that both use; the same file twice is no matter", async () => {
    const url = `${postgres.url}?schema=s${randomBytes(6).toString("hex")}`;
    const store = await openPeer(url);
    await store.storage.blobs.write("tools/shared.yaml", Buffer.from(tool("stored")));
    await store.close();
    const same = await Session.fromBase(base("same", { "tools/shared.yaml": tool("stored") }), {
      embedder: null,
      home,
      storage: url,
    });
    expect(same.problems).toEqual([]);
    await same.close();
    const own = await Session.fromBase(base("own", { "tools/shared.yaml": tool("own") }), {
      embedder: null,
      home,
      storage: url,
    });
    try {
      expect(own.problems).toMatchObject([{ code: "tool/duplicate" }]);
      expect((await own.run("tools.shared.say()")).toJSON()).toMatchObject({ value: "own\n" });
    } finally {
      await own.close();
    }
  }, 120_000);

  it("is refused with the key's name and line when storage: is wrong, and warns of a password in the file", async () => {
    const wrong = base("wrong", { "config.yaml": 'storage:\n  url: "memory:"\n  prefx: a\n' });
    await expect(Session.fromBase(wrong, { home })).rejects.toMatchObject({
      code: "config/unknown-key",
      message: expect.stringContaining("line 3"),
      hint: expect.stringContaining("Did you mean prefix?"),
    });
    const plain = base("plain", { "config.yaml": `storage: "redis://default:hunter22@127.0.0.1:1"\n` });
    const thrown: unknown = await Session.fromBase(plain, { home }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "storage/unavailable" });
    expect(JSON.stringify(thrown)).not.toContain("hunter22");
    const { checks, usable } = await diagnose({ base: plain });
    expect(usable).toBe(false);
    expect(checks.find(({ name }) => name === "storage")).toMatchObject({ status: "fail" });
    expect(checks.filter(({ name }) => name === "config")).toMatchObject([
      { status: "ok" },
      { status: "warn", detail: expect.stringContaining("password") },
    ]);
    expect(JSON.stringify(checks)).not.toContain("hunter22");
  }, 120_000);
});

describe("The doctor", () => {
  it("tells of a store whether it answers, its version and part, and what is left in the folder [P12]", async () => {
    const url = `${redis.url}?prefix=doctored`;
    const left = base("left", { "config.yaml": `storage: {url: "${redis.url}", prefix: doctored}\n` });
    mkdirSync(join(left, "skills"));
    writeFileSync(join(left, "skills", "old.py"), source);
    for (const options of [{ base: left }, { base: left, storage: url }]) {
      const storage = (await diagnose(options)).checks.filter(({ name }) => name === "storage");
      expect(storage).toMatchObject([
        { status: "ok", detail: expect.stringMatching(/answers, (?:Redis|Valkey) \d.*, prefix doctored, 0 skills/) },
        { status: "warn", hint: expect.stringContaining("artificer store push") },
      ]);
    }
    const schema = `d${randomBytes(6).toString("hex")}`;
    const lacking = await diagnose({ base: left, storage: `${postgres.url}?schema=${schema}` });
    expect(lacking.checks.find(({ name }) => name === "storage")).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("lacks"),
    });
    const made = await openPeer(`${postgres.url}?schema=${schema}`);
    await made.close();
    const ready = await diagnose({ base: left, storage: `${postgres.url}?schema=${schema}&tenant=acme` });
    expect(ready.checks.find(({ name }) => name === "storage")).toMatchObject({
      status: "ok",
      detail: expect.stringMatching(new RegExp(`PostgreSQL \\d.*tenant acme in schema ${schema}`)),
    });
  }, 120_000);
});
