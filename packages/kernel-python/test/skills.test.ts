import { ArtificerError } from "@artificer/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

const sources: Record<string, string> = {
  add: "def run(a: int, b: int = 1) -> int:\n    return a + b\n",
  slow: "import asyncio\n\nasync def run(n):\n    await asyncio.sleep(0)\n    return [await web.echo(value=n), tools.web.echo(value=n)]\n",
  broken: "def run(x):\n    return 1 / x\n",
  nested: "def run(x):\n    return skills.add(a=x) + skills.invoke('add', a=1)\n",
  empty: "x = 1\n",
  isolated: "try:\n    count += 1\nexcept NameError:\n    count = 1\n\ndef run():\n    return count\n",
  data: "from __future__ import annotations\nfrom dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int\n\ndef run(frame):\n    return P(len(frame)).x\n",
};

describe("skills in a kernel", () => {
  let host: ScriptedHost;
  const used: Record<string, unknown>[] = [];
  beforeAll(async () => {
    host = await ScriptedHost.start({
      handlers: {
        "tools.call": ({ args }) => (args as { value: unknown }).value,
        "skills.load": ({ name }) => {
          if (name === "typed") return { name, language: "typescript", version: 1, hash: "t", source: "" };
          const source = sources[name as string];
          if (source === undefined) throw new ArtificerError("skill/not-found", `There is no skill ${name}.`);
          return { name, language: "python", version: 2, hash: `hash of ${name}`, source };
        },
        "skills.invoke": ({ name, args }) => ({ name, args }),
        "skills.used": (use) => void used.push(use),
        "skills.search": ({ query }) => [{ name: "add", description: `for ${query}`, score: 0.9 }],
        "skills.list": () => [{ name: "add", description: "Adds." }],
        "skills.get": ({ name }) => ({
          name,
          description: "Adds.",
          signature: "add(a: int)",
          source: sources[name as string],
        }),
        "skills.create": (draft) => ({ ...draft, version: 1 }),
        "skills.delete": () => true,
        "artifacts.save": (params) => ({ ...params, revision: "r1" }),
        "artifacts.load": () => new Uint8Array([1, 2, 255]),
        "artifacts.get": ({ name }) => ({ name, kind: "bytes", updatedAt: new Date(0) }),
        "artifacts.list": () => [{ name: "a/b" }],
        "artifacts.exists": () => true,
        "artifacts.delete": () => {
          throw new ArtificerError("artifact/not-found", "There is no artifact x.");
        },
        "deps.list": () => [{ spec: "x>=1", name: "x", installed: true }],
        "deps.add": ({ spec }) => [{ spec }],
        "deps.remove": () => true,
        "deps.sync": () => ({ installed: [] }),
      },
    });
  });
  afterAll(() => host.close());

  it("run by name and as attributes, with tools and other skills at hand [P4]", async () => {
    expect((await host.run("skills.add(a=2), skills.invoke('add', a=2, b=5)")).value).toEqual([3, 7]);
    expect((await host.run("skills.nested(x=5)")).value).toBe(8);
    const loads = host.requests.filter((request) => request.method === "skills.load");
    expect(loads.at(-1)).toMatchObject({ params: { name: "add", stack: ["nested"] } });
  });

  it("run asynchronously from every context", async () => {
    expect((await host.run("skills.slow(n=4)")).value).toEqual([4, 4]);
    expect((await host.run("await skills.slow(n=5)")).value).toEqual([5, 5]);
    expect((await host.run("async def f():\n    return skills.slow(n=6)\nawait f()")).value).toEqual([6, 6]);
    expect(
      (
        await host.run(
          "import threading\nr = []\nt = threading.Thread(target=lambda: r.append(skills.slow(n=7)))\nt.start(); t.join()\nr",
        )
      ).value,
    ).toEqual([[7, 7]]);
  });

  it("begin afresh each time, and take values that only this kernel knows", async () => {
    expect((await host.run("skills.isolated(), skills.isolated()")).value).toEqual([1, 1]);
    expect((await host.run("class Frame:\n    def __len__(self): return 12\nskills.data(frame=Frame())")).value).toBe(
      12,
    );
  });

  it("fail with their own lines in the traceback and none of the kernel's", async () => {
    const { error } = await host.run("skills.broken(x=0)");
    expect(error).toMatchObject({ type: "ZeroDivisionError", line: 1 });
    expect(error!.traceback).toContain('File "skill broken", line 2, in run\n    return 1 / x');
    expect(error!.traceback).not.toContain("skills.py");
  });

  it("name wrong arguments and show the signature", async () => {
    const missing = (await host.run("skills.add(b=1)")).error!;
    expect(missing).toMatchObject({ type: "SkillArgumentError" });
    expect(missing.message).toContain("'a'");
    expect(missing.message).toContain("run(a: int, b: int = 1) -> int");
    expect((await host.run("skills.add(a=1, c=2)")).error?.message).toContain("'c'");
    expect((await host.run("skills.add(1)")).error?.message).toContain("by name");
    expect((await host.run("skills.empty()")).error).toMatchObject({ code: "skill/no-run" });
    expect((await host.run("skills.nothing()")).error).toMatchObject({ type: "SkillError", code: "skill/not-found" });
  });

  it("tell the host how a run went, once with the search that led to it", async () => {
    used.length = 0;
    await host.run(
      "skills.search('sums')\nskills.add(a=1)\nskills.add(a=1)\ntry: skills.broken(x=0)\nexcept ZeroDivisionError: pass",
    );
    await host.run("skills.list()");
    expect(used).toMatchObject([
      { name: "add", version: 2, ok: true, query: "sums" },
      { name: "add", version: 2, ok: true },
      { name: "broken", ok: false, error: "ZeroDivisionError: division by zero" },
    ]);
    expect(used[1]).not.toHaveProperty("query");
  });

  it("of another language are run by the host", async () => {
    expect((await host.run("skills.typed(x=1)")).value).toEqual({ name: "typed", args: { x: 1 } });
  });

  it("are searched, listed, created and deleted, and read well", async () => {
    const found = await host.run("skills.search('sums')");
    expect(found.repr).toBe("[<skill add (0.90): for sums>]");
    expect(found.value).toEqual([{ name: "add", description: "for sums", score: 0.9 }]);
    expect((await host.run("skills.list()[0].name, skills.get('add').source[:3], skills.delete('x')")).value).toEqual([
      "add",
      "def",
      true,
    ]);
    expect(
      (await host.run("dict(skills.create('n', 'def run(): pass', 'd', tags=['t'], replace=True))")).value,
    ).toMatchObject({
      name: "n",
      description: "d",
      tags: ["t"],
      language: "python",
      replace: true,
    });
    expect(
      (await host.run("from artificer_tools import SkillError, ArtificerError\nissubclass(SkillError, ArtificerError)"))
        .value,
    ).toBe(true);
  });

  it("go with artifacts and deps [P5] [P6]", async () => {
    const saved = await host.run(
      "artifacts.save('a/b', b'123', content_type='x/y', metadata={'k': 1}, if_absent=True)",
    );
    expect(saved.value).toEqual({
      name: "a/b",
      value: new Uint8Array([49, 50, 51]),
      contentType: "x/y",
      metadata: { k: 1 },
      ifAbsent: true,
      revision: "r1",
    });
    expect(
      (
        await host.run(
          "artifacts.load('a'), artifacts.exists('a'), artifacts.list('a')[0].name, artifacts.get('a').updatedAt.year",
        )
      ).value,
    ).toEqual([new Uint8Array([1, 2, 255]), true, "a/b", 1970]);
    expect((await host.run("artifacts.delete('x')")).error).toMatchObject({
      type: "ArtifactError",
      code: "artifact/not-found",
    });
    expect((await host.run("deps.list()[0].spec, deps.add('y'), deps.remove('y'), deps.sync()")).value).toEqual([
      "x>=1",
      [{ spec: "y" }],
      true,
      { installed: [] },
    ]);
  });
});
