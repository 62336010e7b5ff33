import { sourceAnalysis } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

describe("source.analyze", () => {
  let host: ScriptedHost;
  beforeAll(async () => {
    host = await ScriptedHost.start();
  });
  afterAll(() => host.close());
  const analyze = async (source: string) => sourceAnalysis.parse(await host.request("source.analyze", { source }));

  it("reads the entry point's parameters as they are written", async () => {
    const { entry } = await analyze(
      'import os\n\n\nasync def run(a: int, b: "list[str]" = None, *rest: str, c=1 + 1, d: dict[str, int], **more) -> bool:\n    """Does it."""\n',
    );
    expect(entry).toEqual({
      async: true,
      line: 4,
      doc: "Does it.",
      returns: "bool",
      parameters: [
        { name: "a", type: "int", required: true, kind: "positional" },
        { name: "b", type: "'list[str]'", required: false, default: "None", kind: "positional" },
        { name: "rest", type: "str", required: false, kind: "rest" },
        { name: "c", type: "any", required: false, default: "1 + 1", kind: "keyword" },
        { name: "d", type: "dict[str, int]", required: true, kind: "keyword" },
        { name: "more", type: "any", required: false, kind: "keyword-rest" },
      ],
    });
  });

  it("finds imports, tools and skills that are named literally", async () => {
    const found = await analyze(
      "import os.path, json as j\nfrom a.b import c\nfrom . import d\nfrom artificer_tools import get, retry\ndef run():\n    import late\n    tools.web.get(url=1); tools['web-tools'].echo(1); tools[x].y(); tools.list()\n    skills.other(a=1); skills.invoke('third'); skills.invoke(name); skills.search('q')\n",
    );
    expect(found.imports).toEqual(["a.b", "artificer_tools", "json", "late", "os.path"]);
    expect(found.tools).toEqual(["get", "web-tools.echo", "web.get"]);
    expect(found.skills).toEqual(["other", "third"]);
  });

  it("tells a syntax error by line and column", async () => {
    expect(await analyze("def run():\n    return (1")).toMatchObject({ syntaxError: { line: 2 } });
    expect((await analyze("a\0b")).syntaxError).toBeDefined();
    expect((await analyze(`${"(".repeat(5000)}`)).syntaxError).toBeDefined();
  });

  it("has no entry when there is none, and runs nothing", async () => {
    const found = await analyze("open('made-by-analysis', 'w')\nraise SystemExit\nclass run: pass\n");
    expect(found.entry).toBeUndefined();
    expect((await host.run("import os\nos.path.exists('made-by-analysis')")).value).toBe(false);
  });

  it("answers while a cell runs", async () => {
    const running = host.start("import time\ntime.sleep(1000)");
    expect((await analyze("def run(): pass")).entry).toBeDefined();
    host.cancel(running.id);
    expect(await running).toMatchObject({ status: "interrupted" });
  });
});
