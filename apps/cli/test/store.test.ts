import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Service, startRedis } from "@artificer/testkit/services";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Session } from "artificer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { artificer, binary, start, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
let redis: Service;
beforeAll(async () => {
  redis = await startRedis();
  await artificer(["init"], { cwd: folder.path });
});
afterAll(async () => {
  await redis?.stop();
  folder.remove();
});

const run = (...args: string[]) => artificer(args, { cwd: folder.path });
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
const storeUrl = () => `${redis.url}?prefix=${randomBytes(6).toString("hex")}`;
const base = join(folder.path, ".artificer");

/** As `artificer skills add --replace` does, which has its own tests, without a process for it. */
async function saveSkill(name: string, body: string, { at = base, storage }: { at?: string; storage?: string } = {}) {
  const source = `def run() -> str:\n    """Tells about ${name}."""\n    return ${JSON.stringify(body)}\n`;
  await using session = await Session.fromBase(at, { ...(storage === undefined ? {} : { storage }) });
  await session.createSkill({ name, source }, { replace: true });
}

describe("artificer store", () => {
  it("pushes a base to a store, tells what differs, and pulls it into another base, versions with it [P12]", async () => {
    const url = storeUrl();
    await saveSkill("whence", "one");
    await saveSkill("whence", "two");
    const dry = await run("store", "push", url, "--dry-run");
    expect(dry).toMatchObject({ exitCode: 0, stderr: "" });
    expect(dry.stdout).toContain("skills/whence");
    expect(dry.stdout).toContain("to carry over");
    expect((await json("store", "ls", url)).items).toEqual([]);
    const pushed = await json("store", "push", url);
    expect(pushed).toMatchObject({ direction: "push", dryRun: false, conflicts: [] });
    expect(pushed.items.map(({ id }: { id: string }) => id)).toContain("tools/curl.yaml");
    const listed = await json("store", "ls", url, "--kind", "skills");
    expect(listed.items).toMatchObject([{ id: "skills/whence", versions: 2 }]);
    expect((await run("store", "diff", url, "--exit-code")).exitCode).toBe(0);

    await saveSkill("whence", "three");
    const diff = await run("store", "diff", url, "--exit-code");
    expect(diff.exitCode).toBe(1);
    expect(diff.stdout).toContain("->  skills/whence");
    await run("store", "push", url);
    const other = join(folder.path, "other");
    expect(await run("store", "pull", url, "--local", other)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(other, "skill-versions", "whence", "3.py"))).toBe(true);
    const invoked = await run("skills", "invoke", "whence", "--base", other);
    expect(invoked.stdout).toBe("'three'\n");
  }, 120_000);

  it("shows what changed on both sides and overwrites nothing until it is decided; exits with 4 [P12]", async () => {
    const url = storeUrl();
    await saveSkill("rival", "start");
    await run("store", "push", url, "--kind", "skills", "--only", "rival");
    const there = join(folder.path, "there");
    await run("store", "pull", url, "--local", there, "--kind", "skills", "--only", "rival");
    await saveSkill("rival", "ours");
    await saveSkill("rival", "theirs", { at: there });
    expect((await run("store", "push", url, "--local", there, "--only", "rival")).exitCode).toBe(0);
    const commands = ["push", "pull", "sync", "diff"];
    for (const told of await Promise.all(commands.map((command) => run("store", command, url, "--only", "rival")))) {
      expect(told).toMatchObject({ exitCode: 4 });
      expect(told.stderr).toContain("--ours NAME or --theirs NAME");
      expect(told.stdout).toContain("!  skills/rival  changed here and there");
    }
    expect((await run("skills", "invoke", "rival")).stdout).toBe("'ours'\n");
    expect((await run("skills", "invoke", "rival", "--storage", url)).stdout).toBe("'theirs'\n");
    expect(await run("store", "sync", url, "--only", "rival", "--ours", "rival")).toMatchObject({ exitCode: 0 });
    expect((await run("skills", "invoke", "rival", "--storage", url)).stdout).toBe("'ours'\n");
    const versions = await json("store", "ls", url, "--only", "rival");
    expect(versions.items[0].versions).toBe(3);
  }, 120_000);

  it("ends right when it was killed in the middle and is run again, and when two run at once [P12]", async () => {
    const url = storeUrl();
    const many = join(folder.path, "many");
    mkdirSync(join(many, "artifacts"), { recursive: true });
    for (let at = 0; at < 400; at++) writeFileSync(join(many, "artifacts", `a${at}.txt`), `${at} `.repeat(2_000));
    for (const wait of ["a1.txt", "a2", "a3"]) {
      const started = start(["store", "push", url, "--local", many], { cwd: folder.path });
      // As soon as there is something on the other side, whatever it is.
      await untilStored(url, wait.length * 15);
      started.child.kill("SIGKILL");
      await started.finished;
    }
    const between = (await json("store", "ls", url)).items.length;
    expect(between).toBeGreaterThan(0);
    const both = await Promise.all([
      run("store", "push", url, "--local", many),
      run("store", "sync", url, "--local", many),
    ]);
    for (const finished of both) expect(finished).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await run("store", "diff", url, "--local", many, "--exit-code")).stdout).toBe(
      "0 to carry over, 400 the same.\n",
    );
    expect(await run("store", "verify", url)).toMatchObject({ exitCode: 0 });

    async function untilStored(store: string, least: number): Promise<void> {
      const { openPeer } = await import("artificer/store");
      const peer = await openPeer(store);
      while ((await peer.storage.blobs.list("artifacts/")).items.length < least)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await peer.close();
    }
  }, 120_000);

  it("exports to one file, imports it, and doesn't replace a file unasked", async () => {
    const file = join(folder.path, "backup.tar.gz");
    expect(await json("store", "export", file)).toMatchObject({ file, blobs: expect.any(Number) });
    expect(await run("store", "export", file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--force"),
    });
    const url = storeUrl();
    expect(await json("store", "import", file, "--into", url)).toMatchObject({ conflicts: [] });
    expect((await run("store", "diff", url, "--exit-code")).exitCode).toBe(0);
    writeFileSync(file, readFileSync(file).subarray(0, 900));
    expect(await run("store", "import", file, "--into", url)).toMatchObject({ exitCode: 2, stdout: "" });
  }, 120_000);

  it("bootstraps an empty store, and with --clear makes one like this side", async () => {
    const url = storeUrl();
    expect(await run("store", "bootstrap", url)).toMatchObject({ exitCode: 0 });
    await saveSkill("extra", "only there", { storage: url });
    expect((await run("store", "bootstrap", url)).stdout).toContain("?  skills/extra");
    const clear = await run("store", "bootstrap", url, "--clear");
    expect(clear.stdout).toContain("x>  skills/extra");
    expect((await run("store", "diff", url, "--kind", "skills,tools,deps", "--exit-code")).exitCode).toBe(0);
  }, 120_000);

  it("imports from py-code-mode and tells of each thing what became of it", async () => {
    const old = join(folder.path, "old");
    mkdirSync(join(old, "skills"), { recursive: true });
    writeFileSync(join(old, "skills", "camelCase.py"), 'async def run():\n    """Does it."""\n    return 1\n');
    const told = await run("store", "import", "--from", `py-code-mode:${old}`, "--into", storeUrl());
    expect(told).toMatchObject({ exitCode: 0 });
    expect(told.stdout).toContain("skills/camel_case: it is called camel_case here");
  });

  it("refuses a store that is unknown, missing, gone or the same one, each with its own code and no password", async () => {
    const refusals = [
      { args: ["push"], exitCode: 2, stderr: expect.stringContaining("storage: in config.yaml") as unknown },
      { args: ["push", "mysql://u:hunter22@h"], exitCode: 2, stderr: expect.not.stringContaining("hunter22") },
      {
        args: ["pull", "redis://u:hunter22@127.0.0.1:1"],
        exitCode: 8,
        stderr: expect.not.stringContaining("hunter22"),
      },
      { args: ["ls", "./nothing-here"], exitCode: 3, stderr: expect.any(String) },
      { args: ["push", base], exitCode: 2, stderr: expect.stringContaining("same store") },
    ];
    await Promise.all(
      refusals.map(async ({ args, ...told }) =>
        expect(await run("store", ...args), args.join(" ")).toMatchObject(told),
      ),
    );
  }, 120_000);

  it("exits with 7 at a target that can't be written, and has changed nothing", async (context) => {
    context.skip(process.getuid?.() === 0, "root may write anywhere");
    const locked = join(folder.path, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    expect(await run("store", "push", locked)).toMatchObject({ exitCode: 7 });
  }, 120_000);

  it("tells of garbage and of nothing else, and of damage with exit code 8", async () => {
    expect(await json("store", "gc")).toMatchObject({ dryRun: true, garbage: expect.any(Array) });
    const broken = join(folder.path, "broken");
    mkdirSync(join(broken, "tools"), { recursive: true });
    writeFileSync(join(broken, "tools", "x.yaml"), "name: x\ncommand: [\n");
    const told = await run("store", "verify", broken);
    expect(told).toMatchObject({ exitCode: 8 });
    expect(told.stdout).toContain("tools/x.yaml");
  });
});

describe("Sessions of the command on a store", () => {
  it("run, list and serve with the skills and tools of the store, the password told by name alone [P11] [P12]", async () => {
    const url = storeUrl();
    await saveSkill("served", "from the store");
    await run("store", "push", url);
    const elsewhere = join(folder.path, "elsewhere");
    const options = { cwd: folder.path, env: { PLACE: url.slice("redis://".length) } };
    const ran = await artificer(
      ["run", "--base", elsewhere, "--redis", ["redis://$", "{PLACE}"].join(""), "-c", "skills.served()"],
      options,
    );
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("from the store") });
    const listed = await artificer(["skills", "list", "--base", elsewhere], {
      ...options,
      env: { ARTIFICER_STORAGE: url },
    });
    expect(listed.stdout).toContain("served()");

    const client = new Client({ name: "test", version: "1.0.0" });
    const args = [binary, "mcp", "--base", elsewhere, "--redis", url, "--no-runtime-deps", "--timeout", "20"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    try {
      const code = "[skills.served(), len(tools.list()) > 3]";
      const answer = await client.callTool({ name: "run_code", arguments: { code } });
      expect(answer).toMatchObject({ structuredContent: { status: "completed", value: ["from the store", true] } });
      const locked = await client.callTool({ name: "run_code", arguments: { code: 'deps.add("six")' } });
      expect(JSON.stringify(locked)).toContain("Packages can't be changed in this session");
    } finally {
      await client.close();
    }
  }, 120_000);

  it("take a folder named by --storage for the base as well, and refuse two storages", async () => {
    const alone = join(folder.path, "alone");
    expect(await run("run", "--storage", alone, "-c", "artifacts.save('kept', 1)")).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(alone, "artifacts", "kept"))).toBe(true);
    expect(await run("run", "--storage", alone, "--redis", redis.url, "-c", "1")).toMatchObject({ exitCode: 2 });
    expect(await run("run", "--redis", "postgres://h/d", "-c", "1")).toMatchObject({ exitCode: 2 });
  });
});
