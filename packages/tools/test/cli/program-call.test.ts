import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { CliDefinitionInput } from "../../src/cli/definition.js";
import { contextOf, fixture, refusalOf, type Seen, temporaryFolder, toolkitOf } from "./fixture.js";

const anyText = { positional: [{ name: "text", type: "array", required: false }] } as const;

function program(name: string, more: Partial<CliDefinitionInput> = {}, environment?: Record<string, string>) {
  return toolkitOf(
    {
      name: "p",
      command: fixture(name),
      endOfOptions: false,
      schema: { positional: [...anyText.positional] },
      ...more,
    },
    environment,
  );
}

/** Processes that have ended but whose parent has not looked yet are gone as well. */
async function lives(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && stat[stat.lastIndexOf(")") + 2] !== "Z";
}

async function gone(pid: number): Promise<void> {
  while (await lives(pid)) await delay(10);
}

describe("what a program's output becomes", () => {
  const print = (output: CliDefinitionInput["output"], text: string) =>
    program("print.mjs", { output }).call("run", { text: [text] }, contextOf());

  it("is text, lines, JSON, JSON lines, CSV or bytes, as the definition says [P2]", async () => {
    expect(await print("text", "a\nb\n")).toBe("a\nb\n");
    expect(await print("lines", "a\r\nb\n\nc\n")).toEqual(["a", "b", "", "c"]);
    expect(await print("json", '{"a":[1]}')).toEqual({ a: [1] });
    expect(await print("jsonl", '{"a":1}\n\n2\n')).toEqual([{ a: 1 }, 2]);
    expect(await print("csv", 'name,note\nA,"x, ""y""\nz"\nB,\n')).toEqual([
      { name: "A", note: 'x, "y"\nz' },
      { name: "B", note: "" },
    ]);
    expect(await print("bytes", "é")).toEqual(new Uint8Array([0xc3, 0xa9]));
  });

  it("is refused by name when it can't be read so, with the line and the output's beginning", async () => {
    const error = await refusalOf(print("jsonl", '{"a":1}\n{oops\n'));
    expect(error.code).toBe("tool/output-unparsable");
    expect(error.message).toContain("line 2");
    expect(error.details).toMatchObject({ output: "jsonl", stdout: '{"a":1}\n{oops\n' });
    expect((await refusalOf(print("json", ""))).code).toBe("tool/output-unparsable");
    expect((await refusalOf(print("csv", "a,b\n1\n"))).message).toContain("record 2");
  });

  it("survives bytes that are no UTF-8: exact as bytes, readable as text", async () => {
    expect(await program("latin-1.mjs").call("run", {}, contextOf())).toBe("caf\ufffd\n");
    const bytes = await program("latin-1.mjs", { output: "bytes" }).call("run", {}, contextOf());
    expect(bytes).toEqual(new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  });
});

describe("how a program ends", () => {
  it("is told by its exit code, with what it wrote to both streams [P2]", async () => {
    const error = await refusalOf(program("exit-3.mjs").call("run", {}, contextOf()));
    expect(error.code).toBe("tool/exit-code");
    expect(error.message).toContain("exit code 3");
    expect(error.message).toContain("second complaint");
    expect(error.details).toMatchObject({
      exitCode: 3,
      stdout: "partial result\n",
      stderr: "first complaint\nsecond complaint\n",
    });
  });

  it("is a success for the exit codes that the definition, or a recipe, calls so", async () => {
    const kit = program("exit-3.mjs", { recipes: { strict: { successExitCodes: [0] } }, successExitCodes: [0, 3] });
    expect(await kit.call("run", {}, contextOf())).toBe("partial result\n");
    expect((await refusalOf(kit.call("strict", {}, contextOf()))).code).toBe("tool/exit-code");
  });

  it("is a program that is missing when there is none, told in listings and at the call, until it is there", async () => {
    const kit = toolkitOf({ name: "p", command: "no-such-program-anywhere" });
    expect(kit.tools[0]?.unavailable?.reason).toContain("no-such-program-anywhere");
    const error = await refusalOf(kit.call("run", {}, contextOf()));
    expect(error.code).toBe("tool/program-missing");
    expect(error.hint).toContain("PATH");
    expect(program("print.mjs").tools[0]?.unavailable).toBeUndefined();
  });

  it("is a folder that is missing, not a program, when its working folder does not exist", async () => {
    const error = await refusalOf(program("print.mjs", { cwd: "/no/such/folder" }).call("run", {}, contextOf()));
    expect(error.code).toBe("tool/failed");
    expect(error.message).toContain("/no/such/folder");
  });

  it("is the size of its output when that passes the limit, and the program is ended", async () => {
    const error = await refusalOf(program("noisy.mjs", { maxOutputBytes: 200_000 }).call("run", {}, contextOf()));
    expect(error.code).toBe("tool/result-too-large");
    expect(error.details.maxOutputBytes).toBe(200_000);
    expect((error.details.stdout as string).startsWith("xxx")).toBe(true);
  });

  it("is an argument that is too long when the system can't take it", async () => {
    const error = await refusalOf(program("print.mjs").call("run", { text: ["x".repeat(8_000_000)] }, contextOf()));
    expect(error.code).toBe("tool/invalid-argument");
    expect(error.hint).toContain("stdin");
  });
});

describe("ending a program", { timeout: 60_000 }, () => {
  it("takes its whole tree when its time is up, children that ignore SIGTERM too, and keeps what it had written [P2]", async () => {
    const file = join(await temporaryFolder(), "pids");
    // On a busy machine the programs may not be up when the time is: it is doubled until they are.
    for (let timeout = 1; !existsSync(file); timeout *= 2) {
      const kit = program("forever.mjs", { timeout, killGrace: 0.05 });
      const error = await refusalOf(kit.call("run", { text: [file] }, contextOf()));
      expect(error.code).toBe("tool/timed-out");
      expect(error.details.timeoutMs).toBe(timeout * 1000);
      if (existsSync(file)) expect(error.details.stdout).toBe("both are up\n");
    }
    const pids = JSON.parse(await readFile(file, "utf8")) as number[];
    expect(pids).toHaveLength(2);
    for (const pid of pids) await gone(pid);
  });

  it("takes descendants along that lead a session of their own", async (context) => {
    context.skip(
      process.platform !== "linux",
      "which processes descend from a program is told by /proc, on Linux alone",
    );
    const file = join(await temporaryFolder(), "pids");
    const caller = new AbortController();
    const call = program("forever.mjs", { killGrace: 0.05 }).call(
      "run",
      { text: [file, "own-session"] },
      contextOf(caller.signal),
    );
    const refusal = refusalOf(call);
    while (!existsSync(file)) await delay(10);
    caller.abort();
    expect((await refusal).code).toBe("tool/cancelled");
    for (const pid of JSON.parse(await readFile(file, "utf8")) as number[]) await gone(pid);
  });

  it("happens when the toolkit is closed, which waits for it", async () => {
    const file = join(await temporaryFolder(), "pids");
    const kit = program("forever.mjs", { killGrace: 0.05 });
    const refusal = refusalOf(kit.call("run", { text: [file] }, contextOf()));
    while (!existsSync(file)) await delay(10);
    await kit.close?.();
    expect((await refusal).code).toBe("tool/cancelled");
    for (const pid of JSON.parse(await readFile(file, "utf8")) as number[]) await gone(pid);
    expect((await refusalOf(kit.call("run", { text: [file] }, contextOf()))).code).toBe("tool/cancelled");
  });

  it("does not wait for a child that was left behind holding the output open, and leaves none", async () => {
    const output = (await program("leaves-child.mjs").call("run", {}, contextOf())) as string;
    await gone(Number(output));
  });

  it("happens when the host leaves without having closed anything", async () => {
    const file = join(await temporaryFolder(), "pids");
    const host = spawn(process.execPath, [...fixture("leaving-host.mjs").slice(1), file], { stdio: "inherit" });
    expect(await once(host, "exit")).toEqual([0, null]);
    for (const pid of JSON.parse(await readFile(file, "utf8")) as number[]) await gone(pid);
  });

  it("is not begun at all for a call that was withdrawn before", async () => {
    const folder = await temporaryFolder();
    const signal = AbortSignal.abort();
    const error = await refusalOf(
      program("forever.mjs").call("run", { text: [join(folder, "pids")] }, contextOf(signal)),
    );
    expect(error.code).toBe("tool/cancelled");
    expect(existsSync(join(folder, "pids"))).toBe(false);
  });
});

describe("where a program runs", () => {
  const seen = async (kit: ReturnType<typeof program>) => (await kit.call("run", {}, contextOf())) as Seen;

  it("sees a few harmless variables of the host, those passed on by name and those set, and nothing else", async () => {
    const host = {
      PATH: process.env.PATH ?? "",
      HOME: "/home/x",
      LC_ALL: "C",
      API_KEY: "secret",
      HTTPS_PROXY: "http://p:1",
      TOKEN: "t",
    };
    const { env } = await seen(
      program("args.mjs", { output: "json", passEnv: ["HTTPS_PROXY", "ABSENT"], env: { MODE: "x", COUNT: 3 } }, host),
    );
    // The C library or the runtime may add some of their own; none of the host's may be there.
    expect(env).toMatchObject({ HOME: "/home/x", LC_ALL: "C", HTTPS_PROXY: "http://p:1", MODE: "x", COUNT: "3" });
    expect(Object.values(env)).not.toContain("secret");
    expect(Object.keys(env)).not.toContain("TOKEN");
    expect(Object.keys(env)).not.toContain("ABSENT");
  });

  it("runs in the folder that the definition names", async () => {
    const folder = await temporaryFolder();
    expect((await seen(program("args.mjs", { output: "json", cwd: folder }))).cwd).toBe(folder);
  });

  it("overlaps with other calls: programs that wait for one another all end [P2]", async () => {
    const folder = await temporaryFolder();
    const kit = program("rendezvous.mjs");
    const calls = Array.from({ length: 5 }, () => kit.call("run", { text: [folder, "5"] }, contextOf()));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => "met\n"));
  });
});
