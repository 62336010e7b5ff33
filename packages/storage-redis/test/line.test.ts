import { randomBytes } from "node:crypto";
import { type DroppingProxy, type OwnService, startDroppingProxy, startOwnRedis } from "@artificer/testkit/services";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openRedisStorage } from "../src/open-redis-storage.js";

let server: OwnService;
let proxy: DroppingProxy;
beforeAll(async () => {
  server = await startOwnRedis();
  proxy = await startDroppingProxy(server);
});
afterAll(async () => {
  await proxy?.stop();
  await server?.stop();
});

async function openByProxy(options: { waitMs?: number; maxQueue?: number }) {
  // By its name, which is looked up: a new line takes longer than a turn then, as it does over a network.
  const url = `redis://localhost:${proxy.port}`;
  const storage = await openRedisStorage({ url, prefix: randomBytes(6).toString("hex"), ...options });
  onTestFinished(() => storage.close());
  return storage;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("no answer is taken for another's, however often the line is cut while calls are on their way [P8]", async () => {
  const { records } = await openByProxy({ waitMs: 5_000 });
  const keys = Array.from({ length: 16 }, (_, n) => `k${n}`);
  for (const key of keys) await records.put(key, { key });
  let [answered, refused] = [0, 0];
  const wrong: unknown[] = [];
  const calls = new Set<Promise<void>>();
  const ask = (key: string) => {
    const call = records
      .get(key)
      .then(
        (found) => {
          answered++;
          if (found?.value.key !== key) wrong.push([key, found]);
        },
        () => void refused++,
      )
      .finally(() => calls.delete(call));
    calls.add(call);
  };
  // Something is always about to be sent, whenever the line is lost.
  for (let cut = 0; cut < 40; cut++) {
    const before = answered;
    for (let n = 0; answered < before + 20 || n < 20; n++) {
      if (calls.size < 200) ask(keys[n % keys.length] as string);
      await turn();
    }
    proxy.cut();
  }
  while (calls.size > 0) await Promise.all(calls);
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(0);
}, 120_000);

test("calls wait for a line that is down, for so long at most, and no more than may", async () => {
  const { records } = await openByProxy({ waitMs: 300, maxQueue: 5 });
  await records.put("k", { n: 1 });
  proxy.silence(true);
  proxy.cut();
  const unavailable = { code: "storage/unavailable", hint: expect.any(String) };
  // Until the loss is known.
  await expect(records.get("k")).rejects.toMatchObject(unavailable);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => records.list("")));
  for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: unavailable });
  const hints = results.map((result) => (result.status === "rejected" ? String(result.reason.hint) : ""));
  expect(hints.filter((hint) => hint.includes("Too many calls"))).toHaveLength(3);
  proxy.silence(false);
  while ((await records.get("k").catch(() => undefined))?.value.n !== 1) await turn();
});
