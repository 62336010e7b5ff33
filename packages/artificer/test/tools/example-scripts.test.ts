import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPythonKernel } from "@artificer/kernel-python";
import { describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { useTempFolder } from "../session/temp-folder.js";
import { whyNoFolderAt, withFolderAt } from "../support/with-folder-at.js";
import { exampleScripts } from "./example-scripts.js";

const temp = useTempFolder();

async function project(files: Record<string, string>): Promise<string> {
  const folder = await temp();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Runs a script in a session whose base lies in the project, and gives what it printed. */
async function printed(folder: string, config: string, script: string): Promise<string> {
  await mkdir(join(folder, ".artificer"), { recursive: true });
  await writeFile(join(folder, ".artificer", "config.yaml"), `embeddings: {engine: none}\n${config}`);
  await using session = await Session.fromBase(join(folder, ".artificer"));
  expect(session.problems.filter(({ code }) => !code.startsWith("search/"))).toEqual([]);
  const outcome = await session.run(script);
  expect(outcome.error).toBeUndefined();
  return outcome.stdout;
}

describe("the published example scripts run as they stand, but for the module's name", () => {
  it("data processing: finds configuration files and reads them [M4]", async () => {
    const folder = await project({
      "config/app.yaml": "name: app\ndatabase: {host: db}\n",
      "deploy/prod.yaml": "database_url: postgres\n",
      "notes.txt": "database\n",
    });
    const out = await printed(folder, "toolkits: {workspace: {root: ..}}\n", exampleScripts.dataProcessing);
    expect(JSON.parse(out)).toEqual([
      { file: "config/app.yaml", preview: "name: app\ndatabase: {host: db}\n" },
      { file: "deploy/prod.yaml", preview: "database_url: postgres\n" },
    ]);
  });

  it("web research: searches, reads what was found, and leaves out what can't be read [M4]", async () => {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const here = `http://${request.headers.host}`;
      if (url.pathname === "/search") {
        const results =
          url.searchParams.get("pageno") === "1"
            ? ["tokio", "gone", "smol"].map((name) => ({
                title: name,
                url: `${here}/${name}`,
                content: `About ${name}`,
              }))
            : [];
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
      } else if (url.pathname === "/gone") response.writeHead(404).end();
      else {
        const text = `${url.pathname.slice(1)} schedules tasks and polls futures. `.repeat(20);
        response.writeHead(200, { "content-type": "text/html" });
        response.end(`<html><body><nav>Menu</nav><article><h1>Runtime</h1><p>${text}</p></article></body></html>`);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const config = `toolkits:\n  web:\n    search: {provider: searxng, url: "http://127.0.0.1:${port}"}\n    allow: ["127.0.0.1:${port}"]\n`;
      const summaries = JSON.parse(await printed(await project({}), config, exampleScripts.webResearch));
      expect(summaries).toEqual(
        ["tokio", "smol"].map((name) => ({
          title: name,
          url: `http://127.0.0.1:${port}/${name}`,
          excerpt: expect.stringContaining(`${name} schedules tasks`),
        })),
      );
      expect(summaries[0].excerpt.length).toBe(500);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("bulk refactoring: patches each file once, and a second match of a file is no crash [M4]", async () => {
    const folder = await project({
      "src/a.py": "old_api_call(1)\nx = old_api_call(2)\n",
      "src/deep/b.py": "old_api_call()\n",
      "src/c.txt": "old_api_call()\n",
    });
    const out = await printed(folder, "toolkits: {workspace: {root: ..}}\n", exampleScripts.refactoring);
    expect(out).toBe("Fixed 2 files out of 3 matches\n");
    expect(await readFile(join(folder, "src/a.py"), "utf8")).toBe("new_api_call(1)\nx = new_api_call(2)\n");
    expect(await readFile(join(folder, "src/c.txt"), "utf8")).toBe("old_api_call()\n");
  });

  it("build and test: runs the tests and reports, also when the project is not there [M4]", async () => {
    // The script's /project is wherever the project is; python and pytest are what the project brings.
    const folder = await project({
      "bin/python": '#!/bin/sh\n[ "$1 $2" = "-m pytest" ] && cat report.txt\nexit 1\n',
      "report.txt": "FAILED test_a.py::test_two\n1 failed, 2 passed in 0.03s\n",
    });
    await chmod(join(folder, "bin", "python"), 0o755);
    const config = `toolkits: {workspace: {root: .., env: {PATH: "${join(folder, "bin")}:/usr/bin:/bin"}}}\n`;
    const script = exampleScripts.buildAndTest;
    const report = JSON.parse(await printed(folder, config, script.replace("/project", folder)));
    expect(report).toEqual({
      passed: 1,
      failed: 1,
      errors: 0,
      exit_code: 1,
      summary: "FAILED test_a.py::test_two\n1 failed, 2 passed in 0.03s\n",
    });
    const missing = JSON.parse(await printed(folder, config, script.replace("/project", join(folder, "none"))));
    expect(missing).toMatchObject({
      passed: 0,
      exit_code: expect.any(Number),
      summary: expect.stringContaining("none"),
    });
    expect(missing.exit_code).not.toBe(0);
  });

  const pytestStandIn = `import glob, importlib.util, sys, traceback
failed, good = [], 0
for path in sorted(glob.glob("test_*.py")):
    spec = importlib.util.spec_from_file_location(path[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in [n for n in vars(module) if n.startswith("test_")]:
        try: getattr(module, name)(); good += 1
        except AssertionError as e: failed.append(f"FAILED {path}::{name} - assert"); traceback.print_exc()
print("\\n".join(failed))
print(f"{len(failed)} failed, {good} passed in 0.01s")
sys.exit(1 if failed else 0)
`;

  it.for(["the interpreter's pytest", "a stand-in for pytest"])(
    "build and test, not a letter changed: /project is a project with tests, and python is its interpreter, with %s [M4]",
    async (kind, context) => {
      const why = await whyNoFolderAt();
      context.skip(why !== undefined, `no folder can be shown at /project: ${why}`);
      const { path: python } = await createPythonKernel().findInterpreter();
      const real = kind !== "a stand-in for pytest";
      const hasPytest = spawnSync(python, ["-m", "pytest", "--version"]).status === 0;
      context.skip(real && !hasPytest, `${python} has no pytest`);
      const folder = await project({
        "calc.py": "def add(a, b):\n    return a + b\n",
        "test_calc.py":
          "from calc import add\n\ndef test_one():\n    assert add(1, 1) == 2\n\ndef test_two():\n    assert add(2, 2) == 5\n\ndef test_three():\n    assert add('a', 'b') == 'ab'\n",
        "tools-of-it/python": `#!/bin/sh\nexec "${python}" "$@"\n`,
        "script.py": exampleScripts.buildAndTest,
        ".artificer/config.yaml": JSON.stringify({
          embeddings: { engine: "none" },
          python: { interpreter: python },
          toolkits: { workspace: { root: "..", env: { PATH: "/project/tools-of-it:/usr/bin:/bin" } } },
        }),
        ...(real ? {} : { "pytest.py": pytestStandIn }),
      });
      await chmod(join(folder, "tools-of-it", "python"), 0o755);
      const host = fileURLToPath(new URL("../fixtures/run-script.mjs", import.meta.url));
      const told = await withFolderAt("/project", folder, [
        process.execPath,
        host,
        "/project/.artificer",
        "/project/script.py",
      ]);
      const { stdout, ...outcome } = JSON.parse(told);
      expect(outcome).toEqual({ status: "completed", tools: ["workspace.terminal"] });
      expect(JSON.parse(stdout)).toEqual({
        passed: 1,
        failed: 1,
        errors: 0,
        exit_code: 1,
        summary: expect.stringMatching(/FAILED test_calc\.py::test_two[\s\S]*1 failed, 2 passed in /),
      });
    },
  );
});
