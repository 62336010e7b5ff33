import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeLock } from "../../src/locks/file-lock.js";
import { ownFacts, type ProcessFacts } from "../../src/locks/process-life.js";
import { createProcessMark } from "../../src/locks/process-mark.js";
import { temporaryFolder } from "../open-temporary.js";

async function setUp() {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "locks"));
  const path = join(folder, "locks", "key");
  const mark = () => createProcessMark(join(folder, "processes"));
  const leave = async (facts: Partial<ProcessFacts>, at = path) =>
    writeFile(at, JSON.stringify({ ...(await ownFacts("ffffffffffffffffff")), ...facts }));
  return { folder, path, mark, leave };
}

const patience = { waitMs: 20_000, staleMs: 20_000 };

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid as number;
}

test("a lock whose process died is broken at once, whatever the clocks say", async () => {
  const { path, mark, leave } = await setUp();
  await leave({ pid: await deadPid() });
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(path, tomorrow, tomorrow);
  const lock = await takeLock(path, mark(), patience);
  await lock.check();
  await lock.release();
});

test("a lock whose process number went to another process is broken", async () => {
  const { path, mark, leave } = await setUp();
  const { started } = await ownFacts("x");
  // Where the system doesn't tell when a process started, silence has to do.
  await leave({ pid: process.pid, started: started === undefined ? undefined : "1" });
  const lock = await takeLock(path, mark(), { waitMs: 20_000, staleMs: 300 });
  await lock.release();
});

test("a lock of a living process is waited for, however old its file is, and then refused naming the process", async () => {
  const { path, mark } = await setUp();
  const holder = mark();
  const held = await takeLock(path, holder, patience);
  await utimes(path, new Date(0), new Date(0));
  const waiting = takeLock(path, mark(), { waitMs: 150, staleMs: 20_000 });
  await expect(waiting).rejects.toMatchObject({
    code: "storage/locked",
    message: expect.stringContaining(`process ${process.pid}`),
    hint: expect.stringContaining(path),
  });
  const next = takeLock(path, mark(), patience);
  await held.release();
  await (await next).release();
});

test("a lock from another machine is broken only when its holder gives no sign of life", async () => {
  const { path, mark, leave } = await setUp();
  await leave({ machine: "elsewhere", pid: 1 });
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  /** A tenth of a second goes by before each look at the lock. */
  const looking = (before: (look: number) => Promise<void>) => {
    const own = mark();
    const ensure = async () => {
      vi.advanceTimersByTime(100);
      await before(++looks);
      return own.ensure();
    };
    return Object.assign(Object.create(own) as typeof own, { ensure });
  };
  const beating = looking(async (look) => utimes(path, new Date(look * 1000), new Date(look * 1000)));
  await expect(takeLock(path, beating, { waitMs: 1000, staleMs: 500 })).rejects.toMatchObject({
    code: "storage/locked",
  });
  expect(looks).toBeGreaterThan(8);
  looks = 0;
  const lock = await takeLock(
    path,
    looking(async () => {}),
    { waitMs: 20_000, staleMs: 500 },
  );
  expect(looks).toBeGreaterThan(5);
  await lock.release();
});

test("a breaker that died while breaking holds nobody up", async () => {
  const { folder, path, mark, leave } = await setUp();
  const pid = await deadPid();
  await leave({ id: "aaaaaaaaaaaaaaaaaa", pid });
  await leave({ id: "bbbbbbbbbbbbbbbbbb", pid }, `${path}.aaaaaaaaaaaaaaaaaa`);
  const lock = await takeLock(path, mark(), patience);
  await lock.release();
  expect(await readdir(join(folder, "locks"))).toEqual([]);
});

test("of many that find a dead holder's lock one has it at a time", async () => {
  const { path, mark, leave } = await setUp();
  await leave({ pid: await deadPid() });
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const lock = await takeLock(path, mark(), patience);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      await lock.release();
    }),
  );
  expect(most).toBe(1);
});

test("a holder whose lock was taken over is told before it does harm, and leaves the other's lock alone", async () => {
  const { path, mark, leave } = await setUp();
  const held = await takeLock(path, mark(), patience);
  await writeFile(`${path}.new`, "");
  await leave({ machine: "elsewhere" }, `${path}.new`);
  const { rename } = await import("node:fs/promises");
  await rename(`${path}.new`, path);
  await expect(held.check()).rejects.toMatchObject({ code: "storage/locked" });
  await held.release();
  expect(await readFile(path, "utf8")).toContain("elsewhere");
});

test("an abort ends the wait with the signal's own reason", async () => {
  const { path, mark } = await setUp();
  const held = await takeLock(path, mark(), patience);
  const controller = new AbortController();
  const waiting = takeLock(path, mark(), { ...patience, signal: controller.signal });
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  await held.release();
});
