import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolkit, defineTool, type Outcome, Session, type SessionOptions } from "../../src/index.js";

const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({ embedder: null, ...options });
  open.push(session);
  return session;
}

const lines = (outcome: Outcome) =>
  outcome.output
    .map(({ text }) => text)
    .join("")
    .trimEnd()
    .split("\n");

describe("output", () => {
  it("keeps one true order over print, logging, warnings, children, C code, threads and forks, on both streams [A5]", async () => {
    const session = start();
    const outcome = await session.run(`
import ctypes, logging, os, subprocess, sys, threading, warnings
libc = ctypes.CDLL(None)
logging.basicConfig(format="log %(message)s")
for n in range(3):
    print("print", n)
    logging.warning("%d", n)
    libc.puts(b"puts %d" % n)
    libc.printf(b"printf %d\\n", n)
    subprocess.run(["sh", "-c", "echo child %d" % n])
    subprocess.run(["sh", "-c", "echo child-err %d >&2" % n])
    warnings.warn("warned %d" % n)
    os.write(1, b"raw %d\\n" % n)
    thread = threading.Thread(target=print, args=("thread", n))
    thread.start(); thread.join()
    pid = os.fork()
    if pid == 0:
        print("fork", n)
        os._exit(0)
    os.waitpid(pid, 0)
    sys.stderr.write("err %d\\n" % n)
    os.system("echo system %d" % n)`);
    const kinds = [
      "print",
      "log",
      "puts",
      "printf",
      "child",
      "child-err",
      "warned",
      "raw",
      "thread",
      "fork",
      "err",
      "system",
    ];
    const told = lines(outcome)
      .map((line) => (/UserWarning: (warned \d)/.exec(line)?.[1] ?? line).trim())
      .filter((line) => !line.startsWith("warnings.warn"));
    expect(told).toEqual([0, 1, 2].flatMap((n) => kinds.map((kind) => `${kind} ${n}`)));
    expect(outcome.stderr).not.toContain("print");
  });

  it("is told as it happens: the cell goes on only once it was read [A5]", async () => {
    let seen = "";
    let release: () => void = () => {};
    const gate = createToolkit({
      name: "gate",
      description: "Waits",
      tools: {
        wait: defineTool({
          description: "Until the reader says so",
          input: z.object({}),
          run: () =>
            new Promise<null>((resolve) => {
              release = () => resolve(null);
              if (seen.includes("two")) resolve(null);
            }),
        }),
      },
    });
    const session = start({ tools: [gate] });
    const outcome = await session.run(
      "import subprocess\nprint('one', end='')\nsubprocess.run(['echo', ' two'])\ntools.gate.wait()\nprint('three')",
      {
        onOutput: ({ text }) => {
          seen += text;
          if (seen.includes("two")) release();
        },
      },
    );
    expect(outcome.stdout).toBe("one two\nthree\n");
    expect(seen).toBe(outcome.stdout);
  });

  it("never splits a character, whoever splits its bytes", async () => {
    const session = start();
    const outcome = await session.run(`
import os, time
for byte in "grüße 🎈 日本\\n".encode() * 50:
    os.write(1, bytes([byte]))
print("\\x1b[1m" + "é" * 60_000)`);
    expect(outcome.stdout).not.toContain("\ufffd");
    expect(outcome.stdout).not.toContain("\x1b");
    expect(outcome.stdout.startsWith("grüße 🎈 日本\n".repeat(50))).toBe(true);
    const [cut] = outcome.truncated;
    expect(await session.loadArtifact(cut!.artifact!)).toBe(`${"grüße 🎈 日本\n".repeat(50)}${"é".repeat(60_000)}\n`);
  });

  it("beyond its limit is kept by head and tail on stderr and in the traceback too, and wholly as artifacts usable next [M8] [A5]", async () => {
    const session = start();
    const outcome = await session.run(`
import sys
sys.stderr.write("<" + "ü" * 20_000 + ">")
raise ValueError("<" + "é" * 2_000_000 + ">")`);
    expect(outcome.truncated.map(({ what }) => what)).toEqual(["stderr", "traceback"]);
    expect(Buffer.byteLength(outcome.stderr)).toBeLessThan(10_200);
    expect(outcome.stderr).toMatch(/^<ü+\n\[… \d+ bytes left out …\]\nü+>$/);
    expect(Buffer.byteLength(outcome.traceback!)).toBeLessThan(10_200);
    expect(outcome.traceback).toMatch(/^Traceback .*cell 1.*é\n\[… \d+ bytes left out …\]\né+>\n$/s);
    expect(outcome.error!.message.length).toBeLessThan(4_100);
    expect(outcome.toText().length).toBeLessThan(30_000);
    for (const { artifact, totalBytes } of outcome.truncated) {
      const { value } = await session.run(`len(artifacts.load(${JSON.stringify(artifact)}).encode())`);
      expect(value).toBe(totalBytes);
    }
  });
});

describe("rich displays", () => {
  it("of every kind are kept, live and in order, with their text for the model [A5]", async () => {
    const shown: string[][] = [];
    const session = start();
    const outcome = await session.run(
      `
class Rich:
    def __init__(self, **forms): self.forms = forms
    def _repr_mimebundle_(self, **kw): return {k.replace("__", "/").replace("_xml", "+xml"): v for k, v in self.forms.items()}
    def __repr__(self): return "rich"
display(Rich(image__png=b"\\x89PNG\\r\\n\\x1a\\n0"))
display(Rich(image__jpeg=b"\\xff\\xd8\\xff0"))
display(Rich(image__svg_xml="<svg/>"))
display(Rich(text__html="<b>bold</b>"), Rich(text__markdown="# head"), Rich(text__latex="$x$"))
display(Rich(application__json={"a": [1, None]}))
display("plain", [1, 2])
Rich(text__html="<table></table>")`,
      { onDisplay: ({ data }) => shown.push(Object.keys(data)) },
    );
    const kinds = [
      "image/png",
      "image/jpeg",
      "image/svg+xml",
      "text/html",
      "text/markdown",
      "text/latex",
      "application/json",
      "text/plain",
      "text/plain",
      "text/html",
    ];
    expect(shown.map(([kind]) => kind)).toEqual(kinds);
    expect(outcome.displays.map(({ data }) => Object.keys(data)[0])).toEqual(kinds);
    expect(outcome.displays[6]!.data["application/json"]).toBe('{"a": [1, null]}');
    expect(outcome.toText()).toContain("# head");
    expect(outcome.repr).toBe("rich");
  });

  it("too many or too large are left out, named and counted [A5]", async () => {
    const session = start({ limits: { maxDisplays: 2, maxDisplayBytes: 100 } });
    const outcome = await session.run(
      "for n in range(4): display({'image/png': b'x' * 10}, raw=True)\ndisplay({'text/html': 'x' * 101}, raw=True)",
    );
    expect(outcome.displays).toHaveLength(2);
    expect(outcome.truncated).toEqual([
      { what: "images", keptBytes: 0, totalBytes: 10 },
      { what: "images", keptBytes: 0, totalBytes: 10 },
      { what: "display", keptBytes: 0, totalBytes: 101 },
    ]);
    expect(outcome.notices.join()).toContain("at most 2 of at most 100 bytes each");
  });
});
