import { describe, expect, it } from "vitest";
import { Withdrawal } from "../../src/kernel/withdrawal.js";

describe("a withdrawal", () => {
  it("is told once, with the first reason, to listeners and to the signal alike", () => {
    const withdrawal = new Withdrawal();
    const told: unknown[] = [];
    const { signal } = withdrawal;
    withdrawal.subscribe((reason) => told.push(reason));
    const stop = withdrawal.subscribe(() => told.push("should not be told"));
    stop();
    withdrawal.withdraw("first");
    withdrawal.withdraw("second");
    expect(told).toEqual(["first"]);
    expect(withdrawal.withdrawn).toBe(true);
    expect([signal.aborted, signal.reason]).toEqual([true, "first"]);
  });

  it("gives a signal that has fired to whoever asks too late", () => {
    const withdrawal = new Withdrawal();
    withdrawal.withdraw("gone");
    expect([withdrawal.signal.aborted, withdrawal.signal.reason]).toEqual([true, "gone"]);
  });
});
