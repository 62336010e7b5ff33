import { snapshotRestoreResult, snapshotSaveResult } from "@artificer/protocol";
import { afterEach, expect, it } from "vitest";
import { ScriptedHost } from "../support/scripted-host.js";

const hosts: ScriptedHost[] = [];
const start = async () => {
  const host = await ScriptedHost.start({ snapshots: true });
  hosts.push(host);
  return host;
};
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

it("what cells may have changed is kept account of without growing, though nobody saves for many cells [A7]", async () => {
  const host = await start();
  await host.run("def first():\n    return 'first'\nkept = [1]");
  for (let n = 0; n < 450; n++) await host.run(`result = int('${n}')\ndef last():\n    return ${n}`);
  const sizes = await host.run(
    "import gc\ntracker = next(o for o in gc.get_objects() if type(o).__name__ == 'Tracker')\n[len(tracker._pending), len(tracker.definitions['result']), len(tracker.definitions['last'])]\n",
  );
  const [pending, calls, functions] = sizes.value as number[];
  expect(pending).toBeLessThanOrEqual(200);
  expect(calls).toBeLessThanOrEqual(20);
  expect(functions).toBeLessThanOrEqual(20);
  await host.run("del tracker");

  const bounds = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 60_000 };
  const { facts, groups } = snapshotSaveResult.parse(await host.request("snapshot.save", { ...bounds, known: [] }));
  const next = await start();
  const answer = await next.request("snapshot.restore", { facts: facts.data, groups, maxVariableMs: 60_000 });
  expect(snapshotRestoreResult.parse(answer).failed).toEqual([]);
  expect((await next.run("first(), last(), result, kept")).value).toEqual(["first", 449, 449, [1]]);
});
