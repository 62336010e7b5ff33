import { describe, expect, it } from "vitest";
import { createCallGate } from "../../src/cli/call-gate.js";

const open = new AbortController().signal;

describe("a gate for calls", () => {
  it("lets as many through at once as it has places, the others in order", async () => {
    const gate = createCallGate(2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const work = (id: number) => () => {
      started.push(id);
      return new Promise<number>((resolve) => finish.push(() => resolve(id)));
    };
    const calls = [1, 2, 3, 4].map((id) => gate.pass(open, work(id)));
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2]);
    finish[1]?.();
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2, 3]);
    finish[0]?.();
    await new Promise(setImmediate);
    finish[2]?.();
    finish[3]?.();
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4]);
  });

  it("gives the place back when the work fails", async () => {
    const gate = createCallGate(1);
    await expect(gate.pass(open, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await gate.pass(open, async () => "next")).toBe("next");
  });

  it("lets a call that is over go on to its end without taking a place", async () => {
    const gate = createCallGate(1);
    let finish = () => {};
    const first = gate.pass(open, () => new Promise<void>((resolve) => (finish = resolve)));
    const caller = new AbortController();
    const waiting = gate.pass(caller.signal, async () => caller.signal.aborted);
    caller.abort();
    expect(await waiting).toBe(true);
    finish();
    await first;
    expect(await gate.pass(open, async () => "free")).toBe("free");
  });
});
