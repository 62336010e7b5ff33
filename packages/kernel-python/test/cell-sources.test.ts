import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythons } from "./support/pythons.js";
import { ScriptedHost } from "./support/scripted-host.js";

describe.each(await pythons())("the sources of many cells, in Python $version", ({ path }) => {
  let host: ScriptedHost;
  beforeAll(async () => {
    host = await ScriptedHost.start({ python: path });
    await host.run(
      "import inspect, linecache, traceback\ndef early(x):\n    return 1 / x\nclass Early:\n    def method(self):\n        return early(0)",
    );
    await host.run("def replaced():\n    return 'first'");
    await host.run("try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    kept = error");
    await host.run("def replaced():\n    return 'second'\n");
    for (let n = 0; n < 700; n++) await host.run(`x = ${n}\nx + 1`);
  }, 120_000);
  afterAll(() => host.close());

  it("are kept of the latest, and of those whose code can still run or be shown", async () => {
    expect((await host.run("inspect.getsource(early)")).value).toBe("def early(x):\n    return 1 / x\n");
    expect((await host.run("inspect.getsource(replaced)")).value).toBe("def replaced():\n    return 'second'\n");
    expect(
      (await host.run("''.join(traceback.format_exception(type(kept), kept, kept.__traceback__))")).value,
    ).toContain("    1 / 0\n");
    const failed = await host.run("Early().method()");
    expect(failed.error?.traceback).toContain("    return early(0)\n");
    expect(failed.error?.traceback).toContain("    return 1 / x\n");
    expect((await host.run("linecache.getline('cell 690', 2)")).value).toBe("x + 1");
  });

  it("are let go of otherwise, so that a long session does not grow by its cells", async () => {
    const count = "sum(name.startswith('cell ') for name in linecache.cache)";
    const before = (await host.run(count)).value as number;
    expect(before).toBeLessThan(600);
    for (let n = 0; n < 300; n++) await host.run(`def again_${n % 3}():\n    return ${n}`);
    expect((await host.run(count)).value).toBeLessThan(600);
    expect((await host.run("linecache.getline('cell 20', 1)")).value).toBe("");
  });

  it("missing in %history are counted there", async () => {
    host.takeOutput();
    await host.run("%history");
    expect(host.takeOutput()).toMatch(/^# .*; \d+ are left out\.\n/);
  });
});
