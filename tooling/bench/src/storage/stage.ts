import { NotMeasured } from "../measure-row.js";
import type { Backend, BackendKind } from "./backend.js";

/** A backend that several rows measure one after another: filling it takes longer than they do. */
export interface Stage {
  /** @throws NotMeasured with the reason where the backend can't be had, at once when it was tried before. */
  open(kind: BackendKind, content: string, fill: (backend: Backend) => Promise<void>): Promise<Backend>;
  close(): Promise<void>;
}

export function createStage(): Stage {
  let current: { name: string; backend: Backend } | undefined;
  const missing = new Map<BackendKind, NotMeasured>();

  async function close(): Promise<void> {
    const last = current;
    current = undefined;
    await last?.backend.close();
  }

  async function start(kind: BackendKind): Promise<Backend> {
    const known = missing.get(kind);
    if (known !== undefined) throw known;
    try {
      return await kind.open();
    } catch (error) {
      const reason = new NotMeasured(error instanceof Error ? error.message : String(error), { cause: error });
      missing.set(kind, reason);
      throw reason;
    }
  }

  return {
    async open(kind, content, fill) {
      const name = `${kind.name}: ${content}`;
      if (current?.name === name) return current.backend;
      await close();
      const backend = await start(kind);
      current = { name, backend };
      await fill(backend);
      return backend;
    },
    close,
  };
}
