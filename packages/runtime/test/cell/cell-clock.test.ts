import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CellClock, type ClockAlarm } from "../../src/cell/cell-clock.js";

describe("a cell's clock", () => {
  const alarms: ClockAlarm[] = [];
  const start = (own: number, waiting: number) => new CellClock({ own, waiting }, (which) => alarms.push(which));

  beforeEach(() => {
    alarms.length = 0;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => vi.useRealTimers());

  it("rings once when the cell's own time is up", () => {
    start(100, 1000);
    vi.advanceTimersByTime(99);
    expect(alarms).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(alarms).toEqual(["own"]);
  });

  it("stands still while the cell waits for a tool", () => {
    const clock = start(100, 1000);
    vi.advanceTimersByTime(50);
    clock.pause();
    vi.advanceTimersByTime(500);
    clock.resume();
    vi.advanceTimersByTime(49);
    expect(alarms).toEqual([]);
    expect(clock.waitingMs).toBeCloseTo(500, 0);
    vi.advanceTimersByTime(10);
    expect(alarms).toEqual(["own"]);
  });

  it("bounds the waiting by a budget of its own, overlapping waits counted once", () => {
    const clock = start(100, 300);
    clock.pause();
    clock.pause();
    vi.advanceTimersByTime(200);
    clock.resume();
    vi.advanceTimersByTime(99);
    expect(alarms).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(alarms).toEqual(["waiting"]);
  });

  it("never rings after it was stopped", () => {
    start(100, 100).stop();
    vi.advanceTimersByTime(1000);
    expect(alarms).toEqual([]);
  });

  it("notices a waiting budget that runs out after the own time's timer was set", () => {
    const clock = start(10_000, 50);
    vi.advanceTimersByTime(40);
    clock.pause();
    vi.advanceTimersByTime(110);
    expect(alarms).toEqual(["waiting"]);
  });
});
