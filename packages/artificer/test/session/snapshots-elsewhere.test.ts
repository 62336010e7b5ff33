import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRedisStorage } from "@artificer/storage-redis";
import { type Service, startPostgres, startRedis } from "@artificer/testkit/services";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { diagnose } from "../../src/doctor/index.js";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
let redis: Service;
let postgres: Service;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([redis?.stop(), postgres?.stop()]);
});

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

const part = () => randomBytes(6).toString("hex");
const newKey = () => randomBytes(48).toString("base64");
const told = ({ notices }: { notices: string[] }) => notices.join("\n");
const configured = `storage: "\${STORE}"\nsnapshots: {key: "\${ARTIFICER_SNAPSHOT_KEY}"}\n`;

/** A machine: a base folder of its own, with an environment of its own. */
async function machine(config: string): Promise<string> {
  const folder = await temp();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.yaml"), config);
  return folder;
}

async function open(
  folder: string,
  env: Record<string, string>,
  { id = "one", ...options }: FromBaseOptions = {},
): Promise<Session> {
  const session = await Session.fromBase(folder, {
    id,
    embedder: null,
    home: join(folder, "home"),
    hostEnv: { ...process.env, ...env },
    snapshot: { debounceMs: 20 },
    ...options,
  });
  sessions.push(session);
  return session;
}

const program = `import math
big = bytes(range(256)) * 400
small = [1]
alias = small
def area(r):
    return math.pi * r * r`;
const look = "[len(big), small, alias is small, round(area(1), 2)]";
const seen = [102_400, [1], true, 3.14];

describe("variables of a session that goes on on another machine [A7]", () => {
  it.each([
    ["Redis", () => `${redis.url}?prefix=${part()}`],
    ["PostgreSQL", () => `${postgres.url}${postgres.url.includes("?") ? "&" : "?"}tenant=${part()}`],
  ])(
    "are there again, by the key that both were given, over one store in %s",
    async (_, address) => {
      const env = { STORE: address(), ARTIFICER_SNAPSHOT_KEY: newKey() };
      const first = await open(await machine(configured), env);
      expect(first.problems).toEqual([]);
      await first.run(program);
      await first.close();

      const elsewhere = await machine(configured);
      const second = await open(elsewhere, env);
      expect((await second.run(look)).toJSON()).toMatchObject({ status: "completed", value: seen, cell: 2 });
      await second.run("small.append(2)");
      await second.close();
      expect(await readdir(join(elsewhere, ".state")).catch(() => [])).not.toContain("snapshot-key");

      const third = await open(await machine(configured), env);
      expect(await third.value("alias")).toEqual([1, 2]);
    },
    120_000,
  );

  it("without a common key are not loaded and not overwritten; what is told names the cause and how to mend it, and then they are there", async () => {
    const env = { STORE: `${redis.url}?prefix=${part()}` };
    const alone = `storage: "\${STORE}"\n`;
    const home = await machine(alone);
    const first = await open(home, env);
    await first.run(program);
    await first.close();

    const elsewhere = await machine(alone);
    const second = await open(elsewhere, env);
    const outcome = await second.run("'small' in globals()");
    expect(outcome.value).toBe(false);
    expect(told(outcome)).toMatch(
      /signed with the key [0-9a-f]{12}, which this base does not have \(its own is [0-9a-f]{12}\)/,
    );
    expect(told(outcome)).toContain("those of this session are not saved");
    expect(second.problems).toContainEqual({
      code: "snapshot/other-key",
      message: expect.stringContaining("session one"),
      hint: expect.stringContaining(`snapshots: { key: \${SNAPSHOT_KEY} }`),
    });
    await second.run("mine = 1");
    expect(await second.snapshot()).toBeUndefined();
    await second.close();

    // As the hint says: the base that saved them is given the key, and signs them anew at its next save.
    const key = { ...env, ARTIFICER_SNAPSHOT_KEY: newKey() };
    await writeFile(join(home, "config.yaml"), configured);
    await writeFile(join(elsewhere, "config.yaml"), configured);
    const mended = await open(home, key);
    expect((await mended.run(look)).value).toEqual(seen);
    await mended.close();
    const resumed = await open(elsewhere, key);
    expect((await resumed.run(look)).value).toEqual(seen);
  }, 120_000);

  it("that can't be read here are forgotten by a restart, and saved from then on", async () => {
    const env = { STORE: `${redis.url}?prefix=${part()}` };
    const alone = `storage: "\${STORE}"\n`;
    const first = await open(await machine(alone), env);
    await first.run("x = 1");
    await first.close();
    const elsewhere = await machine(alone);
    const second = await open(elsewhere, env);
    await second.run("y = 2");
    await second.restart();
    await second.run("y = 3");
    expect(await second.snapshot()).toMatchObject({ saved: ["y"] });
    await second.close();
    expect(await (await open(elsewhere, env)).value("y")).toBe(3);
  }, 120_000);

  it("outlive a change of the key: of several the first signs, all of it, and the older are read until they are taken out", async () => {
    const store = `${redis.url}?prefix=${part()}`;
    const [older, newer] = [newKey(), newKey()];
    const both = `storage: "\${STORE}"\nsnapshots: {key: ["\${NEWER}", "\${OLDER}"]}\n`;
    const one = `storage: "\${STORE}"\nsnapshots: {key: "\${KEY}"}\n`;
    const first = await open(await machine(one), { STORE: store, KEY: older });
    await first.run(program);
    await first.close();

    const second = await open(await machine(both), { STORE: store, NEWER: newer, OLDER: older });
    // Nothing of the large ones changes; they are signed anew all the same.
    expect((await second.run(look)).value).toEqual(seen);
    await second.close();

    const third = await open(await machine(one), { STORE: store, KEY: newer });
    expect((await third.run(look)).value).toEqual(seen);
    await third.close();
    const last = await open(await machine(one), { STORE: store, KEY: older });
    expect(last.problems).toContainEqual(expect.objectContaining({ code: "snapshot/other-key" }));
  }, 120_000);

  it("may be signed by keys that a program gives, which win; and by secrets of the configuration", async () => {
    const storage = await openRedisStorage({ url: redis.url, prefix: part() });
    try {
      const bytes = randomBytes(32);
      const first = await open(await machine(""), {}, { storage, snapshotKey: bytes });
      await first.run("x = 1");
      await first.close();
      const other = await machine(`snapshots: {key: "\${UNSET}"}\n`);
      const second = await open(other, {}, { storage, snapshotKey: [bytes, randomBytes(32)] });
      expect(await second.value("x")).toBe(1);
      await second.close();

      const text = newKey();
      const fromFile = await machine(`snapshots: {key: "\${KEPT}"}\nsecrets: {KEPT: {file: kept, for: [snapshots]}}\n`);
      await writeFile(join(fromFile, "kept"), `${text}\n`);
      const third = await open(fromFile, {}, { storage, id: "two" });
      await third.run("y = 2");
      await third.close();
      const fourth = await open(await machine(`snapshots: {key: "\${K}"}\n`), { K: text }, { storage, id: "two" });
      expect(await fourth.value("y")).toBe(2);
    } finally {
      for (const session of sessions.splice(0)) await session.close();
      await storage.close();
    }
  }, 120_000);
});

describe("the key of snapshots", () => {
  it("never reaches a cell: not by a variable that the configuration, a skill or the session's env would pass, and not in output", async () => {
    const key = newKey();
    const folder = await machine(`snapshots: {key: "\${SIGNING}"}\nterminal: {env_passthrough: [HARMLESS]}\n`);
    const session = await open(
      folder,
      { SIGNING: key, COPY: key, HARMLESS: "yes" },
      { env: { GIVEN: `x${key}`, FINE: "1" } },
    );
    const source = `# ---\n# name: asks\n# description: asks\n# required_environment_variables: [SIGNING, COPY]\n# ---\ndef run():\n    return 1\n`;
    await session.createSkill({ name: "asks", source });
    await session.run("skills.asks()");
    await session.restart();
    const { value } = await session.run(
      "import os\n[sorted(n for n in os.environ if n in ('SIGNING', 'COPY', 'GIVEN', 'HARMLESS', 'FINE')), 'SIGNING' in open('/proc/self/environ').read()]",
    );
    expect(value).toEqual([["FINE", "HARMLESS"], false]);
    expect(
      session.problems.filter(({ code }) => code === "session/variable-refused").map(({ message }) => message),
    ).toEqual(
      expect.arrayContaining([
        expect.stringContaining("GIVEN is not passed"),
        expect.stringContaining("SIGNING is not passed"),
        expect.stringContaining("COPY is not passed"),
      ]),
    );
    const printed = await session.run(`print("${key.slice(0, 10)}" + "${key.slice(10)}")`);
    expect(printed.stdout).toBe("[redacted: SIGNING]\n");
  }, 60_000);

  it.each([
    ["is not set", `snapshots: {key: "\${NOWHERE}"}\n`, /\$\{NOWHERE\}, which is not set/],
    ["is too short", `snapshots: {key: "\${SHORT}"}\n`, /\$\{SHORT\} has 5 bytes; a key has at least 32/],
    ["stands in the file", `snapshots: {key: "${"x".repeat(40)}"}\n`, /never written out/],
    [
      "would be passed to cells",
      `snapshots: {key: "\${LONG}"}\nterminal: {env_passthrough: [LONG]}\n`,
      /terminal\.env_passthrough passes LONG to cells/,
    ],
    [
      "would be passed to commands",
      `snapshots: {key: "\${LONG}"}\ntoolkits: {workspace: {root: ., pass_env: [LONG]}}\n`,
      /toolkits\.workspace\.pass_env passes LONG to cells/,
    ],
    [
      "is not for it",
      `snapshots: {key: "\${LONG}"}\nsecrets: {LONG: {env: LONG, for: [shop]}}\n`,
      /must not go to the toolkit snapshots/,
    ],
  ])("that %s is refused with how to mend it", async (_, config, message) => {
    const folder = await machine(config);
    const opening = open(folder, { SHORT: "short", LONG: "l".repeat(40) });
    await expect(opening).rejects.toMatchObject({ message: expect.stringMatching(message), hint: expect.any(String) });
  });

  it("is told of by the doctor: which one signs, that it is not set, and that a shared store has none", async () => {
    const checksOf = async (config: string, storage?: string) => {
      const { checks } = await diagnose({ base: await machine(config), ...(storage && { storage }) });
      return checks.filter(({ name }) => name === "snapshots");
    };
    const key = (...names: string[]) => `snapshots: {key: [${names.map((name) => `"\${${name}}"`).join(", ")}]}\n`;
    // The doctor looks at the environment of its own process.
    const named = "A_KEY_FOR_THIS_TEST";
    process.env[named] = "k".repeat(32);
    try {
      expect(await checksOf("")).toEqual([]);
      expect(await checksOf("", redis.url)).toMatchObject([{ status: "warn", hint: expect.stringContaining("key:") }]);
      expect(await checksOf(key(named), redis.url)).toMatchObject([
        { status: "ok", detail: `variables are signed with \${${named}}` },
      ]);
      expect(await checksOf(key(named, "NOT_SET_ANYWHERE"))).toMatchObject([
        { status: "fail", detail: expect.stringContaining("NOT_SET_ANYWHERE") },
      ]);
    } finally {
      delete process.env[named];
    }
  }, 120_000);
});
