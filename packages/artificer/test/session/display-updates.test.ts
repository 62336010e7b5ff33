import { afterEach, describe, expect, it } from "vitest";
import { type Display, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, limits: { maxDisplays: 3 }, ...options });
  open.push(session);
  return session;
}

const texts = ({ displays }: { displays: readonly Display[] }) => displays.map(({ data }) => data["text/plain"]);

describe("a display with an id", () => {
  it("is updated in its place, and every version is told live [Y4-8]", async () => {
    const session = start();
    const live: [string | undefined, unknown][] = [];
    const outcome = await session.run(
      "display(1, display_id='n')\ndisplay('between')\nfor n in range(2, 100): update_display(n, display_id='n')",
      { onDisplay: ({ id, data }) => live.push([id, data["text/plain"]]) },
    );
    expect(texts(outcome)).toEqual(["99", "'between'"]);
    expect(outcome.displays.map(({ id }) => id)).toEqual(["n", undefined]);
    expect(live).toHaveLength(100);
    expect(live.at(-1)).toEqual(["n", "99"]);
    expect(outcome.truncated).toEqual([]);
    expect(outcome.toJSON()).toMatchObject({ displays: [{ id: "n" }, {}] });
  });

  it("has a handle, which a later cell may use: there it is shown anew [Y4-8]", async () => {
    const session = start();
    const first = await session.run("h = display('a', display_id=True)\nh.update('b')\nh.display_id == h.display_id");
    expect(texts(first)).toEqual(["'b'"]);
    const second = await session.run("h.update('c')\nh.update('d')");
    expect(texts(second)).toEqual(["'d'"]);
    expect(second.displays[0]?.id).toBe(first.displays[0]?.id);
    expect((await session.run("display(1, update=True)")).error?.message).toContain("needs a display_id");
    expect((await session.run("for n in range(5): display(n, display_id=n)")).displays).toHaveLength(3);
  });

  it("can be updated and cleared in TypeScript [Y4-8]", async () => {
    const session = start();
    const updated = await session.run("for (let n = 0; n < 50; n++) display.update('n', n); display('x')", {
      language: "typescript",
    });
    expect(texts(updated)).toEqual(["49", "x"]);
    const cleared = await session.run(
      "console.log('a'); display(1); await display.clear(); console.log('b'); display(2)",
      {
        language: "typescript",
      },
    );
    expect([cleared.stdout, texts(cleared)]).toEqual(["b\n", ["2"]]);
  });
});

describe("clear_output", () => {
  it("forgets what the cell has printed and shown before, whoever wrote it, and nothing after [Y4-8]", async () => {
    const session = start();
    await session.run("print('an earlier cell')");
    const outcome = await session.run(
      "import os, sys\nprint('x' * 200000)\nos.system('echo child')\nprint('e', file=sys.stderr)\ndisplay(1)\nclear_output()\nprint('after')\ndisplay(2)",
    );
    expect(outcome).toMatchObject({ status: "completed", stdout: "after\n", stderr: "", truncated: [] });
    expect(outcome.output).toEqual([{ stream: "stdout", text: "after\n" }]);
    expect(texts(outcome)).toEqual(["2"]);
  });

  it("with wait keeps it until there is more [Y4-8]", async () => {
    const session = start();
    const kept = await session.run("print('last')\nclear_output(wait=True)");
    expect(kept.stdout).toBe("last\n");
    const replaced = await session.run(
      "for n in range(20):\n    clear_output(wait=True)\n    print(n)\n    display(n)",
    );
    expect([replaced.stdout, texts(replaced)]).toEqual(["19\n", ["19"]]);
  });
});
