import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

const png = "b'\\x89PNG\\r\\n\\x1a\\n' + b'0' * 10";

describe("displays", () => {
  let host: ScriptedHost;
  beforeAll(async () => {
    host = await ScriptedHost.start({ limits: { maxDisplayBytes: 1000, maxDisplays: 2 } });
  });
  beforeEach(() => {
    host.notices.length = 0;
  });
  afterAll(() => host.close());

  it("carry images as bytes and name their cell", async () => {
    await host.run(`display(${png})`);
    expect(host.notices).toHaveLength(1);
    expect(host.notices[0]).toMatchObject({ name: "display", params: { dropped: [] } });
    expect(host.notices[0]!.cell).toBeGreaterThan(0);
    const data = host.notices[0]!.params.data as Record<string, unknown>;
    expect(
      Buffer.from(data["image/png"] as Uint8Array)
        .subarray(0, 4)
        .toString("latin1"),
    ).toBe("\x89PNG");
  });

  it("collect every rich form of an object, which shows itself when it is the last value", async () => {
    await host.run(
      "class R:\n    def _repr_html_(self): return '<b>x</b>'\n    def _repr_svg_(self): return '<svg/>'\n    def _repr_png_(self): raise ValueError\n    def _repr_json_(self): return {'a': 1}\n    def __repr__(self): return 'R!'\nR()",
    );
    expect(host.notices[0]?.params.data).toEqual({
      "image/svg+xml": "<svg/>",
      "text/html": "<b>x</b>",
      "application/json": '{"a": 1}',
      "text/plain": "R!",
    });
  });

  it("use _repr_mimebundle_ with metadata", async () => {
    await host.run(
      "class M:\n    def _repr_mimebundle_(self, **kw): return {'text/markdown': '# h'}, {'width': 3}\nM()",
    );
    expect(host.notices[0]?.params).toMatchObject({ data: { "text/markdown": "# h" }, metadata: { width: 3 } });
  });

  it("fall back to the repr, and plain last values show nothing", async () => {
    await host.run("display([1, 2])\n{'a': 1}");
    expect(host.notices.map((notice) => notice.params.data)).toEqual([{ "text/plain": "[1, 2]" }]);
  });

  it("drop what is too large and what is too many, and say so", async () => {
    await host.run(`display(${png} + b'0' * 2000)`);
    expect(host.notices[0]?.params).toMatchObject({ dropped: [{ mime: "image/png", bytes: 2018 }] });
    host.notices.length = 0;
    await host.run("for i in range(100): display(i)");
    expect(host.notices.filter((notice) => Object.keys(notice.params.data as object).length > 0)).toHaveLength(2);
    expect(host.notices.length).toBeLessThanOrEqual(22);
    expect(host.notices.at(-1)?.params).toMatchObject({ data: {}, dropped: [{ mime: "text/plain" }] });
  });

  it("show matplotlib's open figures at the cell's end and close them", async () => {
    await host.run(
      [
        "import sys, types",
        "package, figure, pyplot = types.ModuleType('matplotlib'), types.ModuleType('matplotlib.figure'), types.ModuleType('matplotlib.pyplot')",
        "class Figure:",
        `    def savefig(self, sink, **kw): sink.write(${png})`,
        "figure.Figure = Figure",
        "pyplot.opened = {1: Figure()}",
        "pyplot.get_fignums = lambda: list(pyplot.opened)",
        "pyplot.figure = lambda n: pyplot.opened[n]",
        "pyplot.close = lambda what: pyplot.opened.clear()",
        "sys.modules.update({'matplotlib': package, 'matplotlib.figure': figure, 'matplotlib.pyplot': pyplot})",
      ].join("\n"),
    );
    expect(host.notices).toHaveLength(1);
    expect((await host.run("len(pyplot.opened)")).value).toBe(0);
    host.notices.length = 0;
    await host.run("pyplot.opened[1] = Figure()\npyplot.opened[1]");
    expect(host.notices).toHaveLength(1);
    expect((await host.run("import os\nos.environ['MPLBACKEND']")).value).toBe("Agg");
  });
});
