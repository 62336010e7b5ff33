import { type SnapshotSaveResult, snapshotRestoreResult, snapshotSaveResult } from "@artificer/protocol";
import { expect } from "vitest";
import { ScriptedHost, type ScriptedHostOptions } from "../../scripted-host.js";

const limits = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 2000 };

/** What a host keeps: the bytes of every piece. */
export class SnapshotMover implements AsyncDisposable {
  readonly data = new Map<string, Uint8Array>();
  readonly #hosts: ScriptedHost[] = [];
  last: SnapshotSaveResult | undefined;

  async start(options: ScriptedHostOptions = {}): Promise<ScriptedHost> {
    const host = await ScriptedHost.open({ snapshots: true, ...options });
    this.#hosts.push(host);
    return host;
  }

  async save(host: ScriptedHost, options: object = {}): Promise<SnapshotSaveResult> {
    const answer = await host.request("snapshot.save", {
      ...limits,
      known: [...this.data.keys()],
      exclude: {},
      ...options,
    });
    const result = snapshotSaveResult.parse(answer);
    for (const piece of [...result.groups, result.facts]) if (piece.data) this.data.set(piece.tag, piece.data);
    this.last = result;
    return result;
  }

  async restore(host: ScriptedHost, maxVariableMs = 2000) {
    const { facts, groups } = this.last!;
    const answer = await host.request("snapshot.restore", {
      facts: this.data.get(facts.tag)!,
      groups: groups.map((group) => ({ ...group, data: this.data.get(group.tag)! })),
      maxVariableMs,
    });
    return snapshotRestoreResult.parse(answer);
  }

  /** Runs cells in one kernel, moves everything into another, and gives that. */
  async moved(cells: string[], options: ScriptedHostOptions = {}) {
    const first = await this.start(options);
    for (const cell of cells) expect((await first.cell(cell)).error, cell).toBeUndefined();
    const saved = await this.save(first);
    const second = await this.start(options);
    const restored = await this.restore(second);
    const value = async (code: string) => {
      const result = await second.cell(code);
      expect(result.error, code).toBeUndefined();
      return result.value;
    };
    return { first, second, saved, restored, value };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.close();
  }
}
