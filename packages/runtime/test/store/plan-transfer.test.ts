import { describe, expect, it } from "vitest";
import { type PlanOptions, planTransfer } from "../../src/store/plan-transfer.js";
import type { Inventory, StoreItem } from "../../src/store/store-item.js";

const id = "artifacts/a";

function inventory(hash: string | undefined, more: Partial<StoreItem> = {}): Inventory {
  if (hash === undefined) return new Map();
  const item: StoreItem = {
    id,
    kind: "artifacts",
    key: id,
    hash,
    revision: `r-${hash}`,
    bytes: 1,
    updatedAt: new Date(0),
  };
  return new Map([[id, { ...item, ...more }]]);
}

function plan(
  [local, remote, base]: [string | undefined, string | undefined, string | undefined],
  options: Partial<PlanOptions> = {},
): string {
  const [planned] = planTransfer({
    local: inventory(local),
    remote: inventory(remote),
    base: new Map(base === undefined ? [] : [[id, base]]),
    direction: "sync",
    ...options,
  });
  return planned!.action;
}

describe("The plan of a transfer", () => {
  it("follows whoever changed since both had the same, in each direction [P12]", () => {
    const cases: [string, [string?, string?, string?], { push: string; pull: string; sync: string }][] = [
      ["the same", ["1", "1", "1"], { push: "none", pull: "none", sync: "none" }],
      ["only here, never met", ["1", undefined, undefined], { push: "to-remote", pull: "keep", sync: "to-remote" }],
      ["only there, never met", [undefined, "1", undefined], { push: "keep", pull: "to-local", sync: "to-local" }],
      ["changed here", ["2", "1", "1"], { push: "to-remote", pull: "keep", sync: "to-remote" }],
      ["changed there", ["1", "2", "1"], { push: "keep", pull: "to-local", sync: "to-local" }],
      ["changed on both sides", ["2", "3", "1"], { push: "conflict", pull: "conflict", sync: "conflict" }],
      ["different, never met", ["1", "2", undefined], { push: "conflict", pull: "conflict", sync: "conflict" }],
      ["changed on both sides alike", ["2", "2", "1"], { push: "none", pull: "none", sync: "none" }],
      ["deleted here", [undefined, "1", "1"], { push: "keep", pull: "keep", sync: "keep" }],
      ["deleted there", ["1", undefined, "1"], { push: "keep", pull: "keep", sync: "keep" }],
      ["deleted here, changed there", [undefined, "2", "1"], { push: "conflict", pull: "conflict", sync: "conflict" }],
      ["changed here, deleted there", ["2", undefined, "1"], { push: "conflict", pull: "conflict", sync: "conflict" }],
    ];
    for (const [title, [local, remote, base], wanted] of cases) {
      const told = Object.fromEntries(
        (["push", "pull", "sync"] as const).map((direction) => [direction, plan([local, remote, base], { direction })]),
      );
      expect(told, title).toEqual(wanted);
    }
  });

  it("carries deletions over only when it is asked to, and only to what is unchanged", () => {
    expect(plan([undefined, "1", "1"], { direction: "push", deletes: true })).toBe("delete-remote");
    expect(plan(["1", undefined, "1"], { direction: "pull", deletes: true })).toBe("delete-local");
    expect(plan(["1", undefined, "1"], { direction: "push", deletes: true })).toBe("keep");
    expect(plan([undefined, "2", "1"], { direction: "sync", deletes: true })).toBe("conflict");
    expect(plan([undefined, "1", undefined], { direction: "push", deletes: true })).toBe("keep");
  });

  it("lets a person decide for one side, and never writes the side that a push or pull only reads", () => {
    expect(plan(["2", "3", "1"], { decide: () => "ours" })).toBe("to-remote");
    expect(plan(["2", "3", "1"], { decide: () => "theirs" })).toBe("to-local");
    expect(plan(["2", "3", "1"], { direction: "push", decide: () => "theirs" })).toBe("keep");
    expect(plan(["2", "3", "1"], { direction: "pull", decide: () => "ours" })).toBe("keep");
    expect(plan([undefined, "2", "1"], { decide: () => "ours" })).toBe("delete-remote");
  });

  it("asks nobody about what is no conflict: a word for all items deletes and undoes nothing", () => {
    for (const direction of ["push", "sync"] as const) {
      const decided = { direction, decide: () => "ours" as const };
      expect(plan([undefined, "9", undefined], decided)).not.toBe("delete-remote");
      expect(plan(["1", "2", "1"], decided)).not.toBe("to-remote");
      expect(plan([undefined, "1", "1"], decided)).toBe("keep");
    }
  });

  it("makes the other side like this one when it mirrors", () => {
    expect(plan([undefined, "9", undefined], { direction: "push", mirror: true })).toBe("delete-remote");
    expect(plan(["1", "9", undefined], { direction: "push", mirror: true })).toBe("to-remote");
    expect(plan(["1", undefined, undefined], { direction: "push", mirror: true })).toBe("to-remote");
  });

  it("sees by a skill's own history which side is the older one, where no earlier meeting is noted", () => {
    const skill = (text: string, known: string[]): Partial<StoreItem> => ({
      kind: "skills",
      history: { text, versions: known.map((hash) => [hash]), known: new Set(known) },
    });
    const [planned] = planTransfer({
      local: inventory("new", skill("t2", ["t1", "t2"])),
      remote: inventory("old", skill("t1", ["t1"])),
      base: new Map(),
      direction: "sync",
    });
    expect(planned).toMatchObject({ action: "to-remote" });
    const [both] = planTransfer({
      local: inventory("a", skill("t2", ["t1", "t2"])),
      remote: inventory("b", skill("t3", ["t1", "t3"])),
      base: new Map(),
      direction: "sync",
    });
    expect(both).toMatchObject({ action: "conflict" });
  });

  it("takes a file of settings that says nothing, as a new base has, for none", () => {
    const blank = { kind: "deps", blank: true } as const;
    const request = { base: new Map<string, string>(), direction: "sync" } as const;
    const [filled] = planTransfer({
      ...request,
      local: inventory("x", blank),
      remote: inventory("y", { kind: "deps" }),
    });
    expect(filled).toMatchObject({ action: "to-local" });
    const [empty] = planTransfer({ ...request, local: inventory("x", blank), remote: inventory("y", blank) });
    expect(empty).toMatchObject({ action: "none" });
  });
});
