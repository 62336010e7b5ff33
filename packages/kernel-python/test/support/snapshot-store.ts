import { type SnapshotSaveResult, snapshotRestoreResult, snapshotSaveResult } from "@artificer/protocol";
import type { ScriptedHost } from "./scripted-host.js";

/** Patient where a case does not say otherwise: what takes long on a busy machine is not what takes for ever. */
const limits = { maxVariableBytes: 1 << 26, maxTotalBytes: 1 << 28, maxVariableMs: 60_000 };

/** What a host keeps of a kernel's variables: the bytes of every piece. */
export class SnapshotStore {
  readonly data = new Map<string, Uint8Array>();
  last: SnapshotSaveResult | undefined;

  async save(host: ScriptedHost, options: object = {}): Promise<SnapshotSaveResult> {
    const answer = await host.request("snapshot.save", { ...limits, known: [...this.data.keys()], ...options });
    const result = snapshotSaveResult.parse(answer);
    for (const piece of [...result.groups, result.facts]) if (piece.data) this.data.set(piece.tag, piece.data);
    this.last = result;
    return result;
  }

  async restore(host: ScriptedHost, options: { maxVariableMs?: number | undefined; format?: string } = {}) {
    const { facts, groups } = this.last!;
    const answer = await host.request("snapshot.restore", {
      facts: this.data.get(facts.tag)!,
      groups: groups.map((group) => ({ ...group, data: this.data.get(group.tag)! })),
      maxVariableMs: options.maxVariableMs ?? limits.maxVariableMs,
      ...(options.format === undefined ? {} : { format: options.format }),
    });
    return snapshotRestoreResult.parse(answer);
  }
}
