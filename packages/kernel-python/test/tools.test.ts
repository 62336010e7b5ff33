import { ArtificerError } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindings } from "./support/sample-bindings.js";
import { ScriptedHost } from "./support/scripted-host.js";

describe("tool handles", () => {
  let host: ScriptedHost;
  let waiting: (() => void)[] = [];
  beforeAll(async () => {
    host = await ScriptedHost.start({
      handlers: {
        "tools.call": async ({ tool, args }) => {
          const given = args as { value?: unknown; url?: string };
          if (given.url === "bad") {
            throw new ArtificerError("tool/failed", "The page is gone.", {
              details: { status: 404 },
              hint: "Try another.",
            });
          }
          if (given.value === "meet") {
            // Answered only when two calls are under way at once.
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length === 2) for (const go of waiting.splice(0)) go();
            });
          }
          return tool === "echo" ? given.value : args;
        },
        "tools.list": () => [{ path: "web-tools.get", description: "Gets a page.", signature: "get(url)" }],
        "tools.search": ({ query }) => [{ path: "web-tools.get", description: query, signature: "", score: 0.5 }],
      },
    });
  });
  afterAll(() => host.close());

  it("call by name and by position, under the tool's own parameter names [P3]", async () => {
    expect((await host.run("tools.web.get(url='u', max_time=3)")).value).toEqual({ url: "u", "max-time": 3 });
    expect((await host.run("tools.web.get('u', 4, from_='x')")).value).toEqual({ url: "u", "max-time": 4, from: "x" });
    expect((await host.run("tools.web.any_thing(a=1, b=None)")).value).toEqual({ a: 1, b: null });
    expect((await host.run("tools.web.get('u', from_=None)")).value).toEqual({ url: "u" });
    expect(host.requests.at(-1)).toMatchObject({ method: "tools.call", params: { toolkit: "web-tools", tool: "get" } });
  });

  it("carry every kind of value there and back", async () => {
    const result = await host.run(
      "v = [None, True, 1, 2**70, 1.5, float('inf'), 'é', '\\ud800', b'\\x00\\xff', (1, (2,)), {1, 2}, {1: 'a'}, {'$': 1, '$$': 2}, {'x': [b'q']}]\ntools.web.echo(value=v) == v",
    );
    expect(result.value).toBe(true);
  });

  it("may be awaited needlessly, in functions too, while other awaits stay what they are", async () => {
    expect((await host.run("await tools.web.echo(5)")).value).toBe(5);
    expect(
      (await host.run("async def f():\n    t = tools.web\n    return await t.echo(value='x')\nawait f()")).value,
    ).toBe("x");
    expect((await host.run("await len([1])")).error?.type).toBe("TypeError");
  });

  it("have an asynchronous form under the toolkit's own name, which overlaps when gathered", async () => {
    expect((await host.run("await web.echo(value=b'12')")).value).toEqual(new Uint8Array([49, 50]));
    const both = await host.run("import asyncio\nawait asyncio.gather(web.echo('meet'), web.echo('meet'))");
    expect(both.value).toEqual(["meet", "meet"]);
    expect((await host.run("t = asyncio.create_task(web.echo(1))\nawait t")).value).toBe(1);
    expect((await host.run("await asyncio.wait_for(web.echo(2), 10)")).value).toBe(2);
    expect((await host.run("sum(await asyncio.gather(*[web.echo(i) for i in range(1000)]))")).value).toBe(499500);
  });

  it("overlap in threads, whose calls name the cell that started them", async () => {
    const result = await host.run(
      "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n    r = list(pool.map(tools.web.echo, ['meet', 'meet']))\nr",
    );
    expect(result.value).toEqual(["meet", "meet"]);
    const cells = host.requests.slice(-2).map((request) => request.cell);
    expect(cells[0]).toBeGreaterThan(0);
    expect(cells[1]).toBe(cells[0]);
    expect((await host.run("import asyncio\nawait asyncio.to_thread(tools.web.echo, 3)")).value).toBe(3);
    expect(host.requests.at(-1)?.cell).toBe(cells[0]! + 1);
  });

  it("report asynchronous calls that were never awaited, with no warning of Python's", async () => {
    host.takeOutput();
    const result = await host.run("web.get('a')\nweb.echo(1)");
    expect(result).toMatchObject({ hasValue: false, unawaited: ["web-tools.get", "web-tools.echo"] });
    expect((await host.run("import gc; gc.collect(); None")).unawaited).toEqual([]);
    expect(host.takeOutput()).toBe("");
  });

  it("name the nearest tool, toolkit and argument, and what is allowed", async () => {
    const tool = (await host.run("tools.web.gett")).error!;
    expect(tool).toMatchObject({ type: "ToolNotFoundError", code: "tool/unknown-tool" });
    expect(tool.message).toContain("Did you mean 'get'?");
    expect((await host.run("tools.wep.get")).error).toMatchObject({ code: "tool/unknown-toolkit" });
    const unknown = (await host.run("tools.web.get('u', max_tim=1)")).error!;
    expect(unknown).toMatchObject({ type: "ToolArgumentError", code: "tool/unknown-argument" });
    expect(unknown.message).toContain("Did you mean 'max_time'?");
    expect(unknown.message).toContain("tools.web.get(url: str, max_time: int = 30");
    expect((await host.run("tools.web.get()")).error).toMatchObject({ code: "tool/missing-argument" });
    expect((await host.run("tools.web.get(1, url=2)")).error?.message).toContain("twice");
    expect((await host.run("hasattr(tools, 'nope'), hasattr(tools.web, 'nope')")).value).toEqual([false, false]);
    expect(
      (await host.run("try:\n    tools.web.get(x=1)\nexcept TypeError as e:\n    k = type(e).__name__\nk")).value,
    ).toBe("ToolArgumentError");
  });

  it("raise what the host answers as a ToolError with its code, details and hint", async () => {
    const caught = await host.run(
      "from artificer_tools import ToolError, ArtificerError\ntry:\n    tools.web.get('bad')\nexcept ToolError as e:\n    seen = e.code, e.details, e.hint, isinstance(e, ArtificerError)\nseen",
    );
    expect(caught.value).toEqual(["tool/failed", { status: 404 }, "Try another.", true]);
    const { error } = await host.run("def f():\n    tools.web.get('bad')\nf()");
    expect(error).toMatchObject({ code: "tool/failed", line: 2 });
    expect(error!.traceback).toMatch(
      /in f\n {4}tools\.web\.get\('bad'\)\n(\s*[~^]+\n)?artificer_tools\.ToolError: The page is gone\./,
    );
    expect((await host.run("await web.get('bad')")).error?.traceback).not.toContain("host.py");
  });

  it("explain themselves: help, dir, signature, repr, by original name", async () => {
    host.takeOutput();
    await host.run("help(tools.web.get)");
    expect(host.takeOutput()).toBe(
      "tools.web.get(url: str, max_time: int = 30, from_: str = None) -> str\n\nGets a page.\n\nArguments:\n  url: Where it is.\n",
    );
    expect((await host.run("import inspect\nstr(inspect.signature(tools.web.get))")).value).toBe(
      "(url: 'str', max_time: 'int' = 30, from_: 'str' = None) -> 'str'",
    );
    expect((await host.run("dir(tools.web), 'web' in dir(tools)")).value).toEqual([["any_thing", "echo", "get"], true]);
    expect((await host.run("tools['web-tools']['any-thing'](q=1), tools['web-tools.get']('u')")).value).toEqual([
      { q: 1 },
      { url: "u" },
    ]);
    expect((await host.run("repr(tools.web.get)")).value).toContain("Gets a page.");
    await host.run("help(tools); help(tools.web)");
    expect((await host.run("tools.list()[0].path, tools.search('q')[0]['score']")).value).toEqual([
      "web-tools.get",
      0.5,
    ]);
  });

  it("come flat from artificer_tools, with json_parse, shell_quote and retry [M2]", async () => {
    const result = await host.run(
      'from artificer_tools import get, echo, json_parse, shell_quote, retry\nget(\'u\'), json_parse(\'{"a": "x\\ty"}\'), shell_quote("a\'b")',
    );
    expect(result.value).toEqual([{ url: "u" }, { a: "x\ty" }, "'a'\"'\"'b'"]);
    const retried = await host.run(
      "n = []\ndef flaky():\n    n.append(1)\n    if len(n) < 3: raise OSError('no')\n    return 'yes'\nretry(flaky, max_attempts=3, delay=0), len(n)",
    );
    expect(retried.value).toEqual(["yes", 3]);
    expect(
      (await host.run("def always(): raise OSError('no')\nretry(always, max_attempts=2, delay=0)")).error?.type,
    ).toBe("OSError");
  });

  it("parse JSON behind a byte-order mark, in text and in bytes [X2-5]", async () => {
    const marked = await host.run(
      "json_parse('\\ufeff{\"a\": 1}'), json_parse(b'\\xef\\xbb\\xbf[2]'), json_parse('\"\\ufeff\"')",
    );
    expect(marked.value).toEqual([{ a: 1 }, [2], "\ufeff"]);
    expect((await host.run("json_parse('\\ufeff\\ufeff1')")).error?.type).toBe("json.decoder.JSONDecodeError");
  });

  it("name the nearest, and all there is, when an import asks for a tool that is not there [X2-15]", async () => {
    const { error } = await host.run("from artificer_tools import gett");
    expect(error).toMatchObject({ type: "ToolImportError", code: "tool/unknown-tool", line: 1 });
    expect(error?.message).toMatch(/no 'gett'\. Did you mean 'get'\?[\s\S]*It has: .*echo.*json_parse/);
    expect((await host.run("from artificer_tools import (get,\n  json_prase)")).error?.message).toContain(
      "'json_parse'",
    );
    const caught = await host.run(
      "def f():\n    try:\n        from artificer_tools import nothing\n    except ImportError as e:\n        return str(e)\nimport artificer_tools\nf(), hasattr(artificer_tools, 'nothing'), getattr(artificer_tools, 'x', 5)",
    );
    expect(caught.value).toEqual([expect.stringContaining("It has:"), false, 5]);
  });

  it("give way to the user's own names and come back when those are deleted", async () => {
    const mine = await host.run("tools = 5\nweb = 6");
    expect(mine.names.sort()).toEqual(["tools", "web"]);
    expect((await host.run("tools + web")).value).toBe(11);
    await host.run("del tools, web");
    expect((await host.run("await web.echo(tools.web.echo(1))")).value).toBe(1);
  });

  it("follow a new table of bindings", async () => {
    const other = structuredClone(bindings);
    other.toolkits[0] = { ...other.toolkits[0]!, identifier: "net", global: "net" };
    await host.request("kernel.bind", { bindings: other });
    expect((await host.run("tools.net.echo(1), hasattr(tools, 'web'), 'web' in globals()")).value).toEqual([
      1,
      false,
      false,
    ]);
    await host.request("kernel.bind", { bindings });
    expect((await host.run("tools.web.echo(2)")).value).toBe(2);
  });

  it("refuse a value that cannot cross, naming its path", async () => {
    const { error } = await host.run("tools.web.echo(value=[1, object()])");
    expect(error).toMatchObject({ type: "ToolError", code: "value/not-encodable" });
    expect(error!.message).toContain("$.args.value[1]");
  });

  it("raise a clear error in a forked child, which never speaks on the wire", async () => {
    host.takeOutput();
    const result = await host.run(
      "import os\npid = os.fork()\nif pid == 0:\n    try:\n        tools.web.echo(1)\n    except Exception as e:\n        print('child:', e, flush=True)\nelse:\n    os.waitpid(pid, 0)\npid > 0",
    );
    expect(result.value).toBe(true);
    expect(host.takeOutput()).toContain("child: A forked process can't call the host");
    expect((await host.run("tools.web.echo(1)")).value).toBe(1);
    waiting = [];
  });
});
