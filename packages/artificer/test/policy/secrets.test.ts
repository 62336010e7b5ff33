import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { createSecretResolver } from "../../src/tools/index.js";
import { attempts } from "./open-shop.js";

const root = mkdtempSync(join(tmpdir(), "artificer-secrets-"));
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function server(answer: (headers: IncomingHttpHeaders) => { location?: string; body?: string }) {
  const seen: IncomingHttpHeaders[] = [];
  const made = createServer(({ headers }, response) => {
    seen.push(headers);
    const { location, body = "{}" } = answer(headers);
    response.writeHead(location === undefined ? 200 : 307, {
      "content-type": "application/json",
      ...(location === undefined ? {} : { location }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => made.close(resolve)));
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, seen };
}

let bases = 0;
async function start(config: string, tools: Record<string, string>, options = {}) {
  const folder = join(root, `base-${++bases}`);
  mkdirSync(join(folder, "tools"), { recursive: true });
  writeFileSync(join(folder, "config.yaml"), `embeddings: {engine: none}\n${config}`);
  for (const [name, text] of Object.entries(tools)) writeFileSync(join(folder, "tools", name), text);
  const session = await Session.fromBase(folder, { home: join(root, "home"), ...options });
  closing.push(() => session.close());
  return session;
}

const api = (url: string, name = "api") => `
type: http
name: ${name}
baseUrl: ${url}
auth: {type: api-key, in: header, name: x-key, secret: KEY}
network: {allow: [127.0.0.1]}
endpoints:
  - {name: get, method: GET, path: /things}
`;

describe("a secret that is bound", () => {
  it("goes to the host that it is bound to, not to where that host redirects, and to no other host", async () => {
    const thief = await server(() => ({}));
    const shop = await server(() => ({ location: `${thief.url}/landing` }));
    const other = await server(() => ({}));
    const host = new URL(shop.url).host;
    const session = await start(
      `secrets:\n  KEY: {provider: vault, name: shop-key, for: ["${host}"]}\n`,
      { "shop.yaml": api(shop.url, "shop"), "other.yaml": api(other.url, "other") },
      { secretProviders: { vault: (name: string) => `value-of-${name}-4711` } },
    );
    const outcome = await session.run(attempts("tools.shop.get()", "tools.other.get()"));
    expect(outcome.value).toEqual([{}, ["secret/wrong-destination", expect.stringContaining("must not go to")]]);
    expect(shop.seen[0]!["x-key"]).toBe("value-of-shop-key-4711");
    expect(thief.seen).toHaveLength(1);
    expect(JSON.stringify(thief.seen)).not.toContain("4711");
    expect(other.seen).toEqual([]);
  });

  it("is redacted from the moment that it is known, in this session and in those of sub-agents", async () => {
    const echo = await server((headers) => ({ body: JSON.stringify({ said: `key ${headers["x-key"]}` }) }));
    const session = await start(
      'secrets:\n  KEY: {command: [node, -e, \'console.log(["late","known","secret"].join("-"))\']}\n  FILED: {file: filed.txt}\n',
      { "api.yaml": api(echo.url) },
    );
    const child = new Session({ parent: session });
    closing.push(() => child.close());
    const spelled = "'-'.join(['late', 'known', 'secret'])";
    const outcome = await session.run(`print(${spelled})\nprint(tools.api.get())\nprint(${spelled}, flush=True)`);
    const lines = outcome.stdout.trim().split("\n");
    expect(lines[0]).toBe("late-known-secret");
    expect(lines[1]).not.toContain("late-known-secret");
    expect(lines[2]).toBe("[redacted: KEY]");
    expect((await child.run(`print(${spelled})`)).stdout).toBe("[redacted: KEY]\n");
  });

  it("kept in a variable or a file is redacted without ever having been used", async () => {
    const session = await start(
      "secrets:\n  FILED: {file: filed.txt}\n  VARIED: {env: PLAIN_NAME}\n",
      {},
      {
        hostEnv: { ...process.env, PLAIN_NAME: "in-a-variable" },
      },
    );
    writeFileSync(join(session.parts.base!, "filed.txt"), "in-a-file-somewhere\n");
    const again = await Session.fromBase(session.parts.base!, {
      home: join(root, "home"),
      hostEnv: { ...process.env, PLAIN_NAME: "in-a-variable" },
    });
    closing.push(() => again.close());
    const { stdout } = await again.run("print('in-a-file-' + 'somewhere', 'in-a-' + 'variable')");
    expect(stdout).toBe("[redacted: FILED] [redacted: VARIED]\n");
  });

  it("reaches a program by its toolkit's name, and is taken out of what the program writes", async () => {
    const program = (name: string) =>
      `name: ${name}\ncommand: [${JSON.stringify(process.execPath)}, -e, "console.log(process.env.TOKEN, process.env.TOKEN.length)"]\nenv: {TOKEN: {secret: KEY}}\nrecipes: {show: {}}\nescapeHatch: false\n`;
    const session = await start(
      "secrets:\n  KEY: {command: [node, -e, 'console.log(\"only-for-one-program\")'], for: [mine]}\n",
      {
        "mine.yaml": program("mine"),
        "theirs.yaml": program("theirs"),
      },
    );
    const outcome = await session.run(attempts("tools.mine.show()", "tools.theirs.show()"));
    expect(outcome.value).toEqual(["[redacted] 20\n", ["secret/wrong-destination", expect.stringContaining("theirs")]]);
  });

  it("is told as a problem when it comes from a provider that nobody passed", async () => {
    const session = await start("secrets:\n  KEY: {provider: valt}\n", {}, { secretProviders: { vault: () => "x" } });
    expect(session.problems).toContainEqual(
      expect.objectContaining({ code: "tool/secret-missing", hint: "Did you mean vault?" }),
    );
  });

  it.each([
    ["api.example.org.evil.org", false],
    ["evil-api.example.org", false],
    ["API.example.org", true],
    ["api.example.org:8443", false],
    ["sub.wild.org", true],
    ["wild.org", false],
  ])("compares hosts whole: %s", async (host, allowed) => {
    const resolve = createSecretResolver(
      { A: { env: "A", for: ["api.example.org", "*.wild.org"] } },
      { folder: root, environment: { A: "value" } },
    );
    const asked = resolve("A", { toolkit: "t", host });
    if (allowed) expect(await asked).toBe("value");
    else await expect(asked).rejects.toMatchObject({ code: "secret/wrong-destination" });
  });
});
