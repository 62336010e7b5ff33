import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { type HostOptions, ScriptedHost } from "./scripted-host.js";
import { SnapshotStore } from "./snapshot-store.js";

export interface MoveOptions extends HostOptions {
  /** What restoring one variable may take. */
  restoreMs?: number;
}

/** Kernels that keep account of their variables, and folders, for the tests of one file; each test's end takes them away. */
export function useSnapshotKernels() {
  const hosts: ScriptedHost[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
    for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
  });

  async function start(options: HostOptions = {}): Promise<ScriptedHost> {
    const host = await ScriptedHost.start({ snapshots: true, ...options });
    hosts.push(host);
    return host;
  }

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), "artificer-kernel-"));
    folders.push(made);
    return made;
  }

  /** Runs cells in one kernel, moves everything into another, and gives that. */
  async function moved(cells: string[], { restoreMs, ...options }: MoveOptions = {}) {
    const first = await start(options);
    for (const cell of cells) expect((await first.run(cell)).error).toBeUndefined();
    const store = new SnapshotStore();
    const saved = await store.save(first);
    const second = await start(options);
    const restored = await store.restore(second, { maxVariableMs: restoreMs });
    const value = async (code: string) => {
      const result = await second.run(code);
      expect(result.error).toBeUndefined();
      return result.value;
    };
    return { first, second, store, saved, restored, value };
  }

  return { start, folder, moved };
}
