import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createMemoryStorage,
  createToolkit,
  defineTool,
  type OutputChunk,
  Session,
  type SessionOptions,
} from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const apiKey = "s3cr3t-Value-0123456789";
const parts = [`gh${"p_"}`, "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6"] as const;
const token = parts.join("");
/** Builds the token in the cell, so that its source does not hold it. */
const cellToken = `token = ${JSON.stringify(parts[0])} + ${JSON.stringify(parts[1])}\n`;

const leaky = createToolkit({
  name: "leaky",
  description: "Tells secrets",
  tools: {
    fail: defineTool({
      description: "Fails and tells why",
      input: z.object({}),
      run: () => {
        throw new Error(`could not log in with ${apiKey}`);
      },
    }),
  },
});

function start(options: SessionOptions = {}): Session {
  const session = new Session({
    embedder: null,
    tools: [leaky],
    hostEnv: { ...process.env, UPSTREAM_API_KEY: apiKey },
    ...options,
  });
  open.push(session);
  return session;
}

describe("secrets in a session", () => {
  it.each([
    ["stdout", "print(token)"],
    ["stderr", "import sys; print(token, file=sys.stderr)"],
    ["a child's output", "import os; os.system('echo ' + token)"],
    ["the value and its repr", "{'token': [token]}"],
    ["the traceback and the message", "raise ValueError(token)"],
    ["a display", "display({'text/html': '<b>' + token, 'text/plain': token}, raw=True)"],
    ["a reference", "[token] * 100_000"],
    ["an object's repr", "class C:\n    def __repr__(self): return token\nC()"],
  ])("are redacted in %s, and counted [M13]", async (_where, code) => {
    const live: OutputChunk[] = [];
    const shown: unknown[] = [];
    const session = start();
    const outcome = await session.run(cellToken + code, {
      onOutput: (chunk) => live.push({ ...chunk }),
      onDisplay: (display) => shown.push(display),
    });
    for (const told of [outcome, outcome.toText(), live, shown, outcome.value])
      expect(JSON.stringify(told) ?? "").not.toContain(parts[1]);
    expect(outcome.toText()).toContain("[redacted: GitHub token]");
    expect(outcome.notices.join()).toMatch(/secrets? (was|were) redacted: GitHub token/);
    for (const { name } of await session.listArtifacts())
      expect(JSON.stringify(await session.loadArtifact(name))).not.toContain(parts[1]);
  });

  it("of the host's environment are redacted by value, in tool errors too, and named [M13]", async () => {
    const session = start();
    const outcome = await session.run(`
print("s3cr3t-" + "Value-0123456789")
try:
    tools.leaky.fail()
except Exception as error:
    print(error)`);
    expect(outcome.stdout).toMatch(/^\[redacted: UPSTREAM_API_KEY\]\n.*\[redacted: UPSTREAM_API_KEY\]/s);
    expect(JSON.stringify(outcome)).not.toContain(apiKey);
  });

  it("that were registered are redacted whatever they look like, and split over writes [M13]", async () => {
    const session = start({ secrets: ["open sesame"] });
    const outcome = await session.run(`
import sys, time
for letter in "say open sesame now\\n":
    sys.stdout.write(letter)
    time.sleep(0.001)`);
    // The first letters came before there was anything to hide.
    expect(outcome.stdout).toBe("say ope[redacted: secret] now\n");
  });

  it("do not reach the journal, nor the artifact that keeps a long output [M13]", async () => {
    const storage = createMemoryStorage();
    const session = start({ storage, limits: { maxStdoutBytes: 1_000, maxTracebackBytes: 1_000 } });
    await session.run(`leaked = "${token}"`);
    const outcome = await session.run(
      "for n in range(1_000): print(n, leaked)\nraise ValueError((leaked + ' ') * 100)",
    );
    expect(outcome.truncated.map(({ what, artifact }) => [what, artifact !== undefined])).toEqual([
      ["stdout", true],
      ["traceback", true],
    ]);
    for (const { artifact } of outcome.truncated) {
      const kept = String(await session.loadArtifact(artifact!));
      expect(kept).toContain("[redacted: GitHub token]");
      expect(kept).not.toContain(parts[1]);
    }
    await session.close();
    const page = await storage.records.list("");
    expect(page.items.length).toBeGreaterThan(0);
    expect(JSON.stringify(page.items)).not.toContain(parts[1]);
  });

  it("pass when redaction is off; terminal escapes never do", async () => {
    const session = start({ redaction: "off" });
    const outcome = await session.run(`${cellToken}print("\\x1b[31m" + token + "\\x1b[0m")\ntoken`);
    expect(outcome).toMatchObject({ stdout: `${token}\n`, value: token, notices: [] });
  });

  it("in output after a cell's end are redacted as well", async () => {
    const session = start();
    const [go, gone] = [join(await temp(), "go"), join(await temp(), "gone")];
    await session.run(
      `${cellToken}import os, threading, time\ndef late():\n    while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)\n    print(token, flush=True)\n    open(${JSON.stringify(gone)}, 'w').close()\nthreading.Thread(target=late).start()`,
    );
    await writeFile(go, "");
    await expect.poll(() => existsSync(gone)).toBe(true);
    let late = "";
    const look = async () => {
      // It may be read a moment after the cell that looks began, and count as its own.
      const { background, stdout } = await session.run("1");
      late += background.map(({ text }) => text).join("") + stdout;
      return late;
    };
    await expect.poll(look).toBe("[redacted: GitHub token]\n");
  });
});
