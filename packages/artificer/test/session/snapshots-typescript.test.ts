import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];
const typescript = { language: "typescript" } as const;

async function open(folder: string, options: FromBaseOptions = {}): Promise<Session> {
  const defaults = { id: "one", embedder: null, limits: { graceMs: 500 }, snapshot: { debounceMs: 20 } };
  const session = await Session.fromBase(folder, { ...defaults, ...options });
  sessions.push(session);
  return session;
}

const run = (session: Session, code: string) => session.run(code, typescript);
const told = ({ notices }: { notices: string[] }) => notices.join("\n");

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

describe("variables of TypeScript cells [Y5-24]", () => {
  it("are there again in a later session of the same id, beside those of Python, and the first cell says so", async () => {
    const folder = await temp();
    const first = await open(folder);
    await first.run("shared_name = 'python'");
    await run(
      first,
      "import { basename } from 'node:path'; const x: number[] = [1]; const y = x; class Box { constructor(public of: unknown) {} }",
    );
    await run(
      first,
      "const box = new Box(x); const waits = Promise.resolve(1); x.push(2); function size() { return x.length + basename('/a/bc').length }",
    );
    await first.close();

    const second = await open(folder);
    expect(await second.value("x", typescript)).toEqual([1, 2]);
    const outcome = await run(second, "y.push(3); [x, size(), box instanceof Box, (box.of as any) === y]");
    expect(outcome.value).toEqual([[1, 2, 3], 5, true, true]);
    expect(told(outcome)).toMatch(/restored as they were after cell 3: .*\bbox\b.*\bx\b/);
    expect(told(outcome)).toMatch(/Not restored: waits \(it holds a promise/);
    expect((await run(second, "1")).notices).toEqual([]);
    expect(await second.value("shared_name")).toBe("python");
  });

  it("survive the kernel within a session; the next cell says what is lost since, and a restart forgets them", async () => {
    const session = await open(await temp());
    await run(session, "let x = 1; const kept = [x]");
    expect(await session.snapshot("typescript")).toMatchObject({ cell: 1, saved: ["kept", "x"] });
    const crashed = await run(session, "x = 2; process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})");
    expect(crashed.state).toMatchObject({
      variables: "lost",
      note: expect.stringContaining("as they were after cell 1"),
    });
    const next = await run(session, "[x, kept]");
    expect(next).toMatchObject({ value: [1, [1]], generation: 2 });
    expect(told(next)).toContain("What cell 2 did to variables after that is lost.");
    await session.restart("typescript");
    expect((await run(session, "typeof kept")).value).toBe("undefined");
  });

  it("are saved before an idle kernel is ended, and there again for the next cell", async () => {
    const session = await open(await temp(), {
      snapshot: { debounceMs: 3_600_000 },
      limits: { kernelIdleTimeoutMs: 200 },
    });
    const { value } = await run(session, "const x = new Map([[1, new Set([2])]]); process.pid");
    await expect
      .poll(() => {
        try {
          return process.kill(value as number, 0);
        } catch {
          return false;
        }
      })
      .toBe(false);
    const next = await run(session, "x.get(1)!.has(2)");
    expect(next).toMatchObject({ value: true, generation: 2 });
    expect(told(next)).toContain("restored as they were after cell 1");
  });

  it("are restored into a kernel from a pool as into any other", async () => {
    const folder = await temp();
    const first = await open(folder);
    await run(first, "const x = [process.cwd()]; process.env.MINE = '1'");
    await first.close();
    const second = await open(folder, { pool: 1 });
    expect((await run(second, "[x[0] === process.cwd(), process.env.MINE]")).value).toEqual([true, "1"]);
  });

  it("whose bytes were changed are not sent to a kernel, and are named", async () => {
    const folder = await temp();
    const first = await open(folder);
    await run(first, "const big = Array.from({ length: 20_000 }, (_, n) => n); const small = 1");
    await first.close();
    const names = await readdir(join(folder, "snapshots"), { recursive: true, withFileTypes: true });
    const [file] = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    await writeFile(file!, Buffer.concat([await readFile(file!), Buffer.from("!")]));
    const second = await open(folder);
    const outcome = await run(second, "[small, typeof big]");
    expect(outcome.value).toEqual([1, "undefined"]);
    expect(told(outcome)).toMatch(/Not restored: big \(its stored bytes are not those that were saved\)/);
  });

  it("that end the kernel when they are made again leave nothing restored, and a session that works", async () => {
    const folder = await temp();
    const first = await open(folder);
    await run(
      first,
      "process.env.GUARD = '1'; const good = 1; class Ends { static { if (!process.env.GUARD) process.kill(process.pid, 'SIGKILL') } }",
    );
    await run(first, "delete process.env.GUARD");
    await first.close();
    const second = await open(folder);
    const outcome = await run(second, "good");
    expect(outcome).toMatchObject({ status: "completed", value: 1 });
    expect(told(outcome)).toMatch(/Not restored: Ends \(restoring it ended the kernel/);
  });
});
