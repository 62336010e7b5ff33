import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSubprocessExecutor, openFileStorage, Session } from "../../src/index.js";
import { type LocalPackages, openLocalPackages } from "../deps/local-packages.js";
import { useTempFolder } from "../session/temp-folder.js";
import { quickStartBlocks } from "./quick-start-blocks.js";

const temp = useTempFolder();
let server: Server;
let packages: LocalPackages;

/** Stands for curl: fetches from the test's own server, whatever the host in the address is. */
const curl = `const [to, url] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const { pathname, host } = new URL(url);
const answer = await fetch(to + pathname, { headers: { "x-host": host } });
process.stdout.write(await answer.text());
`;
/** Stands for jq, as far as a path of one key. */
const jq = `let text = "";
for await (const chunk of process.stdin) text += chunk;
const filter = process.argv.at(-1);
console.log(JSON.stringify(JSON.parse(text)[filter.slice(1)]));
`;

beforeAll(async () => {
  packages = await openLocalPackages();
  packages.makeWheel("pandas", "2.1.0");
  server = createServer((request, response) => {
    const [, kind, owner, repo] = (request.url ?? "").split("/");
    const found =
      kind === "repos" && request.headers["x-host"] === "api.github.com"
        ? { full_name: `${owner}/${repo}`, stargazers_count: repo?.length }
        : { key: ["from", request.headers["x-host"]] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await packages.close();
});

/** A base as the quick start has it: tools/, skills/, artifacts/, requirements.txt. */
async function layOut(): Promise<string> {
  const folder = await temp();
  const tools = join(folder, "tools");
  await mkdir(tools);
  const { port } = server.address() as AddressInfo;
  await writeFile(join(folder, "curl.mjs"), curl);
  await writeFile(join(folder, "jq.mjs"), jq);
  const url = { name: "url", required: true };
  const program = (name: string, ...words: string[]) => [process.execPath, join(folder, `${name}.mjs`), ...words];
  const definitions = {
    curl: {
      command: program("curl", `http://127.0.0.1:${port}`),
      effect: "egress",
      schema: { positional: [url] },
      recipes: { get: { params: { url: {} } } },
    },
    jq: {
      command: program("jq"),
      effect: "read",
      schema: { positional: [{ name: "filter" }], stdin: { name: "input", required: true } },
      recipes: { query: { params: { filter: {}, input: {} } } },
    },
  };
  for (const [name, definition] of Object.entries(definitions))
    await writeFile(join(tools, `${name}.yaml`), JSON.stringify({ name, description: name, ...definition }));
  const config = {
    python: { interpreter: packages.python },
    embeddings: { engine: "none" },
    deps: { install_args: ["--no-index", "--find-links", packages.wheels] },
  };
  await writeFile(join(folder, "config.yaml"), JSON.stringify(config));
  return folder;
}

describe("the quick start of the predecessor, cell by cell as it stands", () => {
  it("searches, works with a tool, and saves what worked as a skill that a later session finds and calls [M4]", async () => {
    const folder = await layOut();
    {
      await using session = await Session.fromBase(folder);
      expect(session.problems.filter(({ code }) => !code.startsWith("search/"))).toEqual([]);
      const result = await session.run(quickStartBlocks.workflow);
      expect(result.error).toBeUndefined();
      expect(result.names).toEqual(expect.arrayContaining(["results", "json", "repo_data", "parsed"]));
      expect((await session.run("parsed['full_name'], len(results)")).value).toEqual([
        "anthropics/anthropic-sdk-python",
        0,
      ]);
    }
    // Next time: found, and invoked without iteration.
    await using session = await Session.fromBase(folder, { executor: "subprocess" });
    expect(await session.searchSkills("github analysis")).toMatchObject([{ name: "fetch_repo_stars" }]);
    const invoked = await session.run('skills.invoke("fetch_repo_stars", owner="anthropics", repo="claude")');
    expect(invoked).toMatchObject({ status: "completed", value: 6, toolCalls: [{ tool: "curl.get", reached: true }] });
    expect(await session.invokeSkill("fetch_repo_stars", { owner: "a", repo: "four" })).toMatchObject({ value: 4 });
    expect(await readFile(join(folder, "skills", "fetch_repo_stars.py"), "utf8")).toContain(
      "def run(owner: str, repo: str) -> int:",
    );
  });

  it("has the four namespaces, and skills that build on skills [M4]", async () => {
    const folder = await layOut();
    await using session = await Session.fromBase(folder);
    // What the block takes for granted.
    const before = await session.run(`
json_data = '{"key": 42, "other": 1}'
data = {"stars": [1, 2], "done": True}
def parse_repo(text):
    owner, repo = text.split("/")
    return {"owner": owner, "repo": repo}
skills.create(name="analyze_repo", description="Analyze a repository", source='''def run(owner: str, repo: str) -> dict:
    import json
    return {"name": json.loads(tools.curl.get(url=f"https://api.github.com/repos/{owner}/{repo}"))["full_name"]}
''')
`);
    expect(before.error).toBeUndefined();
    const outcome = await session.run(quickStartBlocks.namespaces);
    expect(outcome.error).toBeUndefined();
    expect(outcome.toolCalls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "curl.get completed",
      "jq.query completed",
      "curl.get completed",
    ]);
    expect(outcome.value).toMatchObject([{ spec: "pandas>=2.0", installed: true }]);
    const after = await session.run(
      "import pandas\n(analysis, run(['a/b', 'c/d']), cached == data, tools.jq.query(filter='.key', input=json_data).strip(), pandas.version)",
    );
    expect(after.value).toEqual([
      { name: "anthropics/anthropic-sdk-python" },
      { total: 2, results: [{ name: "a/b" }, { name: "c/d" }] },
      true,
      "42",
      "2.1.0",
    ]);
    expect(await readFile(join(folder, "requirements.txt"), "utf8")).toContain("pandas>=2.0");
    // The facade, without code strings.
    expect((await session.listTools()).map(({ path }) => path)).toEqual(
      expect.arrayContaining(["curl.get", "jq.query"]),
    );
    expect(await session.searchSkills("analyze")).toMatchObject([{ name: "analyze_repo" }]);
    await session.saveArtifact("data", { key: "value" });
    expect((await session.run('artifacts.load("data")')).value).toEqual({ key: "value" });
  });

  it("gives full control to who makes the parts: a storage and an executor of one's own [M4]", async () => {
    const folder = await temp();
    const storage = await openFileStorage(folder);
    const executor = createSubprocessExecutor();
    {
      await using session = new Session({
        storage,
        executor,
        embedder: null,
        interpreters: { python: packages.python },
      });
      expect((await session.run("artifacts.save('kept', [1, 2])\nsum(artifacts.load('kept'))")).value).toBe(3);
    }
    // Whoever opened a part closes it.
    await using other = new Session({ storage, executor, embedder: null, interpreters: { python: packages.python } });
    expect(await other.loadArtifact("kept")).toEqual([1, 2]);
    await other.close();
    await executor.close();
    await storage.close();
  });
});
