import assert from "node:assert/strict";
import type { Storage } from "@artificer/protocol";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import type { OwnService } from "../services/service.js";
import { type DroppingProxy, startDroppingProxy } from "../services/start-dropping-proxy.js";
import { refusal } from "../storage/refusal.js";
import { holdByWrongClock } from "./clock-jump.js";
import { killWriter } from "./killed-writer.js";
import { listWhileOthersWrite } from "./listed-under-writers.js";
import { runProgram } from "./run-program.js";
import { openTarget, type ProgramTarget, type SharedStorageUnderTest } from "./shared-storage.js";
import { type SteadyWriter, startSteadyWriter } from "./steady-writer.js";
import { thoroughness } from "./thoroughness.js";

const timeout = 180_000;

/** Registers with vitest what a storage on a server must stand: rivals, dead clients, a server that goes and comes, lines that are cut. */
export function testSharedStorage(name: string, subject: SharedStorageUnderTest): void {
  describe(`${name} loses nothing that it acknowledged [P8]`, () => {
    let server: OwnService;
    let proxy: DroppingProxy;
    const opened: Storage[] = [];
    const targetAt = (address: { host: string; port: number }): ProgramTarget => ({
      module: subject.module,
      factory: subject.factory,
      options: subject.options(address),
    });
    const open = async (target: ProgramTarget) => {
      const storage = await openTarget(target);
      opened.push(storage);
      return storage;
    };
    const openByProxy = () => {
      const address = { host: "127.0.0.1", port: proxy.port };
      return open({ ...targetAt(address), options: { ...subject.options(address), ...subject.impatient } });
    };

    beforeAll(async () => {
      server = await subject.start();
      proxy = await startDroppingProxy(server);
    });
    afterEach(async () => {
      for (const storage of opened.splice(0)) await storage.close();
    });
    afterAll(async () => {
      await proxy?.stop();
      await server?.stop();
    });

    test("fifty writers of two processes that raise a counter by compare-and-set at once lose no step", {
      timeout,
    }, async () => {
      const target = targetAt(server);
      const args = ["25", "2"];
      await Promise.all([runProgram("raise-counter", target, args), runProgram("raise-counter", target, args)]);
      const storage = await open(target);
      assert.deepEqual((await storage.records.get("counter"))?.value, { n: 100 });
      assert.deepEqual((await storage.blobs.stat("counter.txt"))?.metadata, { n: 100 });
    });

    test(`${thoroughness.records} records are listed whole, page by page, while others write and delete between them`, {
      timeout: 2 * timeout,
    }, async () => {
      await listWhileOthersWrite(await open(targetAt(server)), thoroughness.records);
    });

    test(`a client killed in mid-write, ${thoroughness.kills} times, leaves every acknowledged write and nothing half-written`, {
      timeout: 2 * timeout,
    }, async () => {
      const target = targetAt(server);
      const storage = await open(target);
      let underWay = 0;
      for (let round = 0; round < thoroughness.kills; round++)
        if (await killWriter(async () => storage, target, round)) underWay++;
      assert.ok(underWay > 0, "no kill came in mid-write");
    });

    test("a server that is restarted, and one that crashes, in mid-use", { timeout }, async () => {
      const storage = await open(targetAt(server));
      await underWriting(storage, "restart", async (writers) => {
        for (const crash of [false, true, true]) {
          await more(writers, "acknowledged", 10);
          await server.restart({ crash });
        }
        await more(writers, "acknowledged", 10);
      });
    });

    test("lines that are cut, again and again, and after any number of bytes", { timeout }, async () => {
      const storage = await openByProxy();
      await underWriting(storage, "cut", async (writers) => {
        for (let round = 0; round < 10; round++) {
          await more(writers, "acknowledged", 3);
          proxy.cut();
        }
        for (const bytes of [0, 1, 5, 17, 60, 200, 1_000, 20_000]) {
          proxy.cutAfter(bytes);
          await more(writers, "refused", 1);
          proxy.cutAfter(undefined);
          await more(writers, "acknowledged", 3);
        }
        for (const bytes of [0, 1, 40, 300, 100_000]) {
          proxy.cutAfter(bytes, "requests");
          await more(writers, "refused", 1);
          proxy.cutAfter(undefined, "requests");
          await more(writers, "acknowledged", 3);
        }
      });
    });

    test("a line that is slow, and is cut while much is on its way", { timeout }, async () => {
      const storage = await openByProxy();
      await underWriting(storage, "slow", async (writers) => {
        for (const milliseconds of [5, 40, 120]) {
          proxy.delay(milliseconds);
          await more(writers, "acknowledged", 2);
          proxy.cut();
          await more(writers, "refused", 1);
        }
        proxy.delay(0);
        await more(writers, "acknowledged", 3);
      }).finally(() => proxy.delay(0));
    });

    test("a client whose clock is hours off, and jumps, neither loses a lease nor keeps one, nor do two hold it", {
      timeout,
    }, async () => {
      for (const hours of [-30, 30]) await holdByWrongClock(targetAt(server), hours);
    });

    test("leases and versions outlive a crash of the server, and tokens go on growing", { timeout }, async () => {
      const storage = await open(targetAt(server));
      const { leases, watch, records } = storage;
      assert.ok(leases && watch);
      const held = await leases.acquire("crash/held", { ttlMs: 3_600_000 });
      const released = await leases.acquire("crash/released", { ttlMs: 3_600_000 });
      assert.ok(held && released && (await leases.release(released)));
      await records.put("crash/before", { n: 1 });
      const version = await watch.version("crash/");
      await server.restart({ crash: true });
      await patiently(async () => {
        assert.equal(await leases.acquire("crash/held", { ttlMs: 1_000 }), undefined);
      });
      const again = await leases.acquire("crash/released", { ttlMs: 1_000 });
      assert.ok(again && again.token > released.token);
      assert.equal(await leases.renew(held, { ttlMs: 1_000 }), true);
      await records.put("crash/after", { n: 1 });
      assert.notEqual(await watch.version("crash/"), version);
    });

    test("a subscription whose line was cut hears again, and is told that it may have missed something", {
      timeout,
    }, async () => {
      const storage = await openByProxy();
      const other = await open(targetAt(server));
      let heard = 0;
      const subscription = await storage.watch?.subscribe("heard/", () => heard++);
      for (let round = 0; round < 3; round++) {
        proxy.cut();
        const before = heard;
        await patiently(async () => assert.ok(heard > before, "nothing was told of the cut"));
        const since = heard;
        await patiently(async () => {
          await other.records.put("heard/of", { round });
          assert.ok(heard > since, "nothing was heard after the cut");
        });
      }
      await subscription?.stop();
    });

    test("a line that falls silent is noticed, refused as such, and used again when it is back", {
      timeout,
    }, async () => {
      const storage = await openByProxy();
      await storage.records.put("silent", { n: 1 });
      proxy.silence(true);
      const error = await refusal("storage/unavailable", storage.records.get("silent"));
      assert.ok(error.hint);
      proxy.silence(false);
      await patiently(async () => {
        assert.deepEqual((await storage.records.get("silent"))?.value, { n: 1 });
      });
    });

    test("what was refused for want of a server leaves a storage that can be closed", { timeout }, async () => {
      const storage = await openByProxy();
      proxy.silence(true);
      const writing = storage.blobs.write("late", Buffer.alloc(1_000_000));
      await refusal("storage/unavailable", writing);
      await storage.close();
      proxy.cut();
      proxy.silence(false);
    });
  });
}

async function underWriting(
  storage: Storage,
  name: string,
  trouble: (writers: SteadyWriter[]) => Promise<void>,
): Promise<void> {
  const writers = Array.from({ length: 4 }, (_, index) => startSteadyWriter(storage, `${name}/${index}`));
  const troubled = await Promise.allSettled([trouble(writers)]);
  const ends = await Promise.allSettled(writers.map((writer) => writer.finish()));
  // A writer's own finding first: it explains why the trouble never came to its end.
  for (const result of [...ends, ...troubled]) if (result.status === "rejected") throw result.reason;
  assert.ok(
    writers.some(({ refused }) => refused > 0),
    "the trouble reached nobody",
  );
}

/** Until the writers together were acknowledged, or refused, so many more times. */
async function more(writers: SteadyWriter[], what: "acknowledged" | "refused", count: number): Promise<void> {
  const sum = () => writers.reduce((total, writer) => total + writer[what], 0);
  const goal = sum() + count;
  await patiently(async () => assert.ok(sum() >= goal, `only ${sum()} of ${goal} were ${what}`));
}

/** Tries again until it holds, or a minute is over. */
async function patiently(attempt: () => Promise<void>): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
