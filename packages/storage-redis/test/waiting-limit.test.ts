import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { createWaitingLimit } from "../src/waiting-limit.js";

function openLine(waitMs: number) {
  const line = Object.assign(new EventEmitter(), { isReady: true });
  return { line, limit: createWaitingLimit(line, waitMs) };
}

test("calls that a loss of the line caught end when it stays away, all at once, and later ones are not theirs", async () => {
  const { line, limit } = openLine(1);
  const [first, second] = [limit.options().abortSignal, limit.options().abortSignal];
  line.isReady = false;
  line.emit("reconnecting");
  line.emit("reconnecting");
  if (!first?.aborted) await once(first as AbortSignal, "abort");
  expect(second?.aborted).toBe(true);
  // While it is away, and the client counts for itself.
  expect(limit.options()).toEqual({});
  line.isReady = true;
  line.emit("ready");
  expect(limit.options().abortSignal?.aborted).toBe(false);
});

test("calls go on when the line is back in time, or the client is closed", async () => {
  for (const isBack of [true, false]) {
    const { line, limit } = openLine(5);
    const signal = limit.options().abortSignal;
    line.emit("reconnecting");
    if (isBack) line.emit("ready");
    else limit.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  }
});
