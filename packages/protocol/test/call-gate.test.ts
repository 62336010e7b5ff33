import { expect, test } from "vitest";
import { createCallGate } from "../src/call-gate.js";

const gate = () => createCallGate("The storage in x", "openX");

test("a gate lets calls through until it is closed, and then tells how to open again", async () => {
  const open = gate();
  expect(await open.pass(undefined, async () => 1)).toBe(1);
  await expect(open.pass(undefined, () => Promise.reject(new Error("its own")))).rejects.toThrow("its own");
  await open.close();
  let ran = false;
  const late = open.pass(undefined, async () => {
    ran = true;
  });
  await expect(late).rejects.toMatchObject({
    code: "storage/closed",
    message: "The storage in x is closed.",
    hint: "Open it again with openX.",
  });
  expect(ran).toBe(false);
});

test("close waits for what is under way, also for calls that were aborted", async () => {
  const open = gate();
  let finish = () => {};
  let finished = false;
  const work = new Promise<void>((resolve) => {
    finish = () => {
      finished = true;
      resolve();
    };
  });
  const controller = new AbortController();
  const call = open.pass(controller.signal, () => work);
  controller.abort("enough");
  await expect(call).rejects.toBe("enough");
  const closing = open.close().then(() => finished);
  setImmediate(finish);
  expect(await closing).toBe(true);
});

test("a signal that has fired runs nothing, and one that never fires keeps no listener", async () => {
  const open = gate();
  let ran = false;
  const call = open.pass(AbortSignal.abort("why"), async () => {
    ran = true;
  });
  await expect(call).rejects.toBe("why");
  expect(ran).toBe(false);
  const { signal } = new AbortController();
  let listeners = 0;
  signal.addEventListener = () => void listeners++;
  signal.removeEventListener = () => void listeners--;
  for (let round = 0; round < 5; round++) await open.pass(signal, async () => {});
  expect(listeners).toBe(0);
});
