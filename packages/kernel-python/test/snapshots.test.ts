import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SnapshotSaveResult, snapshotRestoreResult, snapshotSaveResult } from "@artificer/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { type HostOptions, ScriptedHost } from "./support/scripted-host.js";

const limits = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 2000 };
const hosts: ScriptedHost[] = [];

async function start(options: HostOptions = {}): Promise<ScriptedHost> {
  const host = await ScriptedHost.start({ snapshots: true, ...options });
  hosts.push(host);
  return host;
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** What a host keeps: the bytes of every piece. */
class Store {
  readonly data = new Map<string, Uint8Array>();
  last: SnapshotSaveResult | undefined;

  async save(host: ScriptedHost, options: object = {}): Promise<SnapshotSaveResult> {
    const answer = await host.request("snapshot.save", { ...limits, known: [...this.data.keys()], ...options });
    const result = snapshotSaveResult.parse(answer);
    for (const piece of [...result.groups, result.facts]) if (piece.data) this.data.set(piece.tag, piece.data);
    this.last = result;
    return result;
  }

  async restore(host: ScriptedHost) {
    const { facts, groups } = this.last!;
    const answer = await host.request("snapshot.restore", {
      facts: this.data.get(facts.tag)!,
      groups: groups.map((group) => ({ ...group, data: this.data.get(group.tag)! })),
      maxVariableMs: 2000,
    });
    return snapshotRestoreResult.parse(answer);
  }
}

/** Runs cells in one kernel, moves everything into another, and gives that. */
async function moved(cells: string[], options: HostOptions = {}) {
  const first = await start(options);
  for (const cell of cells) expect((await first.run(cell)).error).toBeUndefined();
  const store = new Store();
  const saved = await store.save(first);
  const second = await start(options);
  const restored = await store.restore(second);
  const value = async (code: string) => {
    const result = await second.run(code);
    expect(result.error).toBeUndefined();
    return result.value;
  };
  return { first, second, store, saved, restored, value };
}

describe("a kernel restored from a snapshot [A7]", () => {
  it("has plain values, modules, functions, classes and instances again", async () => {
    const { restored, value } = await moved([
      "import math, os.path, xml.etree.ElementTree as ET\nfrom collections import namedtuple, OrderedDict\nfrom dataclasses import dataclass",
      "x = 1\ns = 'text'\nd = {'a': [1, 2, {3}], (1, 2): b'bytes'}\nbig = 10**40",
      "FACTOR = 3\ndef scale(n):\n    return n * FACTOR\nasync def later(n):\n    return scale(n)\ntwice = lambda n: n * 2",
      "@dataclass\nclass Point:\n    x: int\n    y: int = FACTOR\n    def total(self):\n        return self.x + scale(self.y)\nPair = namedtuple('Pair', 'left right')",
      "p = Point(1)\npair = Pair(p, [p])\nclass Sub(Point):\n    pass\nsub = Sub(5, 6)",
    ]);
    expect(restored.failed).toEqual([]);
    expect(await value("x, s, d, big, math.pi > 3, ET.fromstring('<a/>').tag, os.path.basename('/a/b')")).toEqual(
      expect.arrayContaining([1, "text", 10n ** 40n, true, "a", "b"]),
    );
    expect(await value("scale(2), await later(3), twice(4), p.total(), pair.left is p, pair.right[0] is p")).toEqual([
      6,
      9,
      8,
      10,
      true,
      true,
    ]);
    expect(await value("type(p) is Point and type(pair) is Pair and isinstance(sub, Point) and sub.total()")).toBe(23);
    // A function sees the namespace itself, no copy of it.
    expect(await value("FACTOR = 10\nscale(2)")).toBe(20);
  });
});
