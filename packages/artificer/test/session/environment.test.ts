import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();

/** A host as hosts are: full of what is nobody's business. Every such value says "leak". */
const secrets = {
  OPENAI_API_KEY: "leak-1",
  ANTHROPIC_API_KEY: "leak-2",
  GITHUB_TOKEN: "leak-3",
  MODAL_TOKEN_ID: "leak-4",
  DB_PASSWORD: "leak-5",
  MY_PASSWD: "leak-6",
  AUTH_CREDENTIAL: "leak-7",
  SENTRY_DSN: "leak-8",
  SLACK_WEBHOOK: "leak-9",
  DATABASE_URL: "postgres://user:leak@host/db",
  RANDOM_X: "leak-10",
  ARTIFICER_ADMIN_TOKEN: "leak-11",
  ARTIFICER_DEBUG: "leak-12",
  LC_SECRET: "leak-13",
  TENOR_API_KEY: "leak-14",
  MY_SERVICE_DSN: "leak-15",
  HTTPS_PROXY: "http://user:leak@proxy:1",
  https_proxy: "http://user:leak@proxy:1",
  SSL_CERT_FILE: "/leak/ca.pem",
  PYTHONPATH: "/leak",
  LD_PRELOAD: "",
  BYPASS_CACHE: "leak-16",
};
const harmless = { PATH: process.env.PATH ?? "", HOME: "/home/someone", LANG: "C.UTF-8", LC_TIME: "C", TERM: "dumb" };

describe("the environment of a cell", () => {
  const open: Session[] = [];
  afterEach(() => Promise.all(open.splice(0).map((session) => session.close())));

  async function openSession(config = "", options: FromBaseOptions = {}): Promise<Session> {
    const base = await temp();
    await writeFile(join(base, "config.yaml"), config);
    const hostEnv = { ...harmless, ...secrets };
    const session = await Session.fromBase(base, { hostEnv, home: join(base, "home"), embedder: null, ...options });
    open.push(session);
    return session;
  }

  async function environmentOf(session: Session): Promise<Record<string, string>> {
    return (await session.run("import os; dict(os.environ)")).value as Record<string, string>;
  }

  it.each(["project", "strict"] as const)(
    "is an allow-list and exactly four location variables, with nothing of the host's secrets, in %s mode [M6]",
    async (mode) => {
      const session = await openSession("", { mode });
      const environment = await environmentOf(session);
      expect(Object.keys(environment).sort()).toEqual(
        [
          ...Object.keys(harmless),
          "ARTIFICER_BASE",
          "ARTIFICER_HOME",
          "ARTIFICER_LANGUAGE",
          "ARTIFICER_SESSION",
          // Set by the kernel itself, for figures.
          "MPLBACKEND",
        ].sort(),
      );
      expect(JSON.stringify(environment)).not.toContain("leak");
      const child = "import subprocess\nsubprocess.run(['env'], capture_output=True, text=True).stdout";
      expect((await session.run(child)).value).not.toContain("leak");
    },
  );

  it("is the same from a pool, down to what the process was started with [M6]", async () => {
    const session = await openSession("code_execution: {warm_kernels: 1}");
    expect(JSON.stringify(await environmentOf(session))).not.toContain("leak");
    expect((await session.run("open('/proc/self/environ').read()")).value).not.toContain("leak");
  });

  it("has what the configuration names, even where the name says secret, and blank names count for nothing [M6]", async () => {
    const session = await openSession(
      'terminal: {env_passthrough: [TENOR_API_KEY, " MY_SERVICE_DSN ", "", "  ", NOT_SET]}',
    );
    expect(await environmentOf(session)).toMatchObject({ TENOR_API_KEY: "leak-14", MY_SERVICE_DSN: "leak-15" });
    expect(session.problems).toEqual([]);
  });

  it("never has a managed credential or a variable of ours, whoever asks, and tells so [M6]", async () => {
    const asked = "[OPENAI_API_KEY, anthropic_api_key, GITHUB_TOKEN, MODAL_TOKEN_ID, ARTIFICER_ADMIN_TOKEN]";
    const session = await openSession(`terminal: {env_passthrough: ${asked}}`, { env: { ARTIFICER_FIFTH: "leak" } });
    expect(JSON.stringify(await environmentOf(session))).not.toContain("leak");
    expect(session.problems.map(({ code }) => code)).toEqual(Array(6).fill("session/variable-refused"));
    expect(session.problems[0]!.message).toContain("OPENAI_API_KEY is not passed to cells");
  });

  it("has proxies and certificates by choice [M6]", async () => {
    const names = ["HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE"];
    const passing = async (config: string) => {
      const environment = await environmentOf(await openSession(config));
      return names.filter((name) => name in environment);
    };
    expect(await passing("terminal: {pass_proxies: true}")).toEqual(["HTTPS_PROXY", "https_proxy"]);
    expect(await passing("terminal: {pass_certificates: true}")).toEqual(["SSL_CERT_FILE"]);
  });

  it("has what a skill requires from the next start of the kernel on, and the cell is told [M6] [M9]", async () => {
    const session = await openSession();
    await session.createSkill({
      name: "gifs",
      description: "Needs a key",
      source: "import os\ndef run():\n    return os.environ.get('TENOR_API_KEY')\n",
      requiredEnvironmentVariables: ["TENOR_API_KEY", "OPENAI_API_KEY"],
    });
    const before = await session.run("skills.invoke('gifs')");
    expect(before.value).toBeUndefined();
    expect(before.notices).toContainEqual(
      "The skill gifs needs TENOR_API_KEY. This kernel was started without; a restarted one has it.",
    );
    await session.restart();
    const after = await session.run("skills.invoke('gifs')");
    expect(after.value).toBe("leak-14");
    expect(after.notices.join()).not.toContain("TENOR_API_KEY");
    expect(await environmentOf(session)).not.toHaveProperty("OPENAI_API_KEY");
    expect(session.problems).toContainEqual(
      expect.objectContaining({ code: "session/variable-refused", message: expect.stringContaining("the skill gifs") }),
    );
  });

  it("and of the commands of terminal is widened alike by what a skill requires or the configuration lets pass [X5-10]", async () => {
    const session = await openSession(
      "toolkits: {workspace: {root: .}}\nterminal: {env_passthrough: [RANDOM_X, GITHUB_TOKEN]}\n",
    );
    const names = ["RANDOM_X", "TENOR_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "MY_SERVICE_DSN"];
    const code = `out = tools.workspace.terminal(command='env')['output']\n[n for n in ${JSON.stringify(names)} if n + '=leak' in out]`;
    expect((await session.run(code)).value).toEqual(["RANDOM_X"]);
    await session.createSkill({
      name: "gifs",
      description: "Needs a key",
      source: "def run():\n    return 1\n",
      requiredEnvironmentVariables: ["TENOR_API_KEY", "OPENAI_API_KEY", "NOT_SET_ANYWHERE"],
    });
    // No restart: each command begins with an environment of its own.
    expect((await session.run(code)).value).toEqual(["RANDOM_X", "TENOR_API_KEY"]);
  });

  it("tells when the host has not set what a skill requires [M6]", async () => {
    const session = await openSession();
    await session.createSkill({
      name: "maps",
      description: "Needs a key",
      source: "def run():\n    return 1\n",
      requiredEnvironmentVariables: ["MAPS_KEY"],
    });
    expect((await session.run("skills.invoke('maps')")).notices).toEqual([
      "The skill maps needs MAPS_KEY, not set in the host's environment.",
    ]);
  });

  it("does not change under a running kernel, and is fixed anew at its next start [M9]", async () => {
    const hostEnv: Record<string, string> = { ...harmless, LC_MESSAGES: "C" };
    const session = await openSession("", { hostEnv });
    await session.run("1");
    hostEnv.LC_MESSAGES = "de_DE";
    expect((await environmentOf(session)).LC_MESSAGES).toBe("C");
    await session.restart();
    expect((await environmentOf(session)).LC_MESSAGES).toBe("de_DE");
  });

  it("names the user's own folder, which ARTIFICER_HOME of the host moves [M6] [M11]", async () => {
    const home = join(await temp(), "elsewhere");
    await mkdir(home);
    const session = await openSession("", { hostEnv: { ...harmless, ARTIFICER_HOME: home }, home: undefined });
    expect((await environmentOf(session)).ARTIFICER_HOME).toBe(home);
  });
});
