import { afterEach, describe, expect, it } from "vitest";
import { ScriptedHost } from "./support/scripted-host.js";

describe("a cell's output", () => {
  let host: ScriptedHost;
  afterEach(() => host.close());

  it("arrives in the order it was written, whatever wrote it", async () => {
    host = await ScriptedHost.start();
    await host.run(
      [
        "import os, subprocess, sys",
        "print('1 print')",
        "os.write(1, b'2 os.write\\n')",
        "subprocess.run(['echo', '3 child'])",
        "sys.stdout.write('4 no newline')",
        "os.system('echo; echo 5 shell')",
        "sys.stdout.buffer.write(b'6 buffer\\n')",
        "print('7 end', end='', flush=True)",
      ].join("\n"),
    );
    expect(host.takeOutput()).toBe("1 print\n2 os.write\n3 child\n4 no newline\n5 shell\n6 buffer\n7 end");
  });

  it("keeps the order across both streams", async () => {
    host = await ScriptedHost.start();
    await host.run("import sys\nfor i in range(50):\n    print('out', i)\n    print('err', i, file=sys.stderr)");
    const lines = host.takeOutput().trimEnd().split("\n");
    expect(lines).toEqual(Array.from({ length: 100 }, (_, n) => `${n % 2 === 0 ? "out" : "err"} ${n >> 1}`));
  });

  it("takes any text: lone surrogates, undecodable file names", async () => {
    host = await ScriptedHost.start();
    await host.run("print('\\ud800', 'é', '\\U0001f600')");
    expect(host.takeOutput()).toBe("\\ud800 é \u{1f600}\n");
    await host.run("import os\nprint(os.fsdecode(b'a\\xff'))");
    expect(host.chunks.map((chunk) => chunk.text).join("")).toBe("a\xff\n");
    expect((await host.run("print(5, file=__import__('sys').stdout)")).status).toBe("completed");
    expect((await host.run("import sys\nsys.stdout.write(5)")).error?.type).toBe("TypeError");
  });

  it("needs no marker when nothing was written", async () => {
    host = await ScriptedHost.start();
    expect((await host.run("1")).marker).toBeUndefined();
  });

  it("is all there when 200 MB were written", { timeout: 60_000 }, async () => {
    host = await ScriptedHost.start();
    const bytes = 200 * 2 ** 20;
    let seen = 0;
    host.onOutput = (chunk) => {
      seen += chunk.byteLength;
    };
    const result = await host.run(
      `import os\nblock = 'x' * 65535 + '\\n'\nfor _ in range(${bytes / 65536}): print(block, end='')`,
    );
    expect(result.status).toBe("completed");
    const marker = result.marker === undefined ? 0 : 2 * result.marker.length;
    while (seen < bytes + marker) await new Promise(setImmediate);
    expect(seen).toBe(bytes + marker);
    expect((await host.run("1")).value).toBe(1);
  });

  it("survives closed and replaced streams", async () => {
    host = await ScriptedHost.start();
    await host.run("import os\nos.close(1)\nos.close(2)");
    await host.run("import sys\nsys.stdout.close()\nsys.stderr = None\nsys.stdin = None");
    await host.run("print('back'); print('too', file=sys.stderr)");
    expect(host.takeOutput()).toBe("back\ntoo\n");
    await host.run("sys.stdout = open(os.devnull, 'w')");
    expect((await host.run("print('unheard')\n2")).value).toBe(2);
  });

  it("leaves redirection to the cell", async () => {
    host = await ScriptedHost.start();
    const result = await host.run(
      "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as f:\n    print('in')\nf.getvalue()",
    );
    expect(result.value).toBe("in\n");
    expect(host.takeOutput()).toBe("");
  });
});
