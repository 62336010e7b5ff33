import type { Language } from "@artificer/protocol";
import type { CoreSession } from "./session.js";

/** A live kernel of a session. */
export interface KernelInfo {
  language: Language;
  generation: number;
  /** As the kernel sees it: inside a container or sandbox it counts on its own. A debugger can be attached to it. */
  pid: number;
  /** The interpreter, and its version. */
  executable: string;
  version: string;
  /** Whether cells run or wait. */
  busy: boolean;
}

/** A session that is open in this process. */
export interface SessionInfo {
  id: string;
  owner?: string;
  /** The id of the session that it works for. */
  parent?: string;
  openedAt: Date;
  kernels: KernelInfo[];
}

/** Held weakly: a session that nobody uses any more is no longer there, closed or not. */
const open = new Set<WeakRef<CoreSession>>();

/** Adds to the open sessions of this process; gives back what takes it out. */
export function registerSession(session: CoreSession): () => void {
  const entry = new WeakRef(session);
  open.add(entry);
  return () => open.delete(entry);
}

/** The sessions that are open in this process, in the order they were opened. */
export function openSessions(): CoreSession[] {
  const found: CoreSession[] = [];
  for (const entry of open) {
    const session = entry.deref();
    if (session === undefined) open.delete(entry);
    else found.push(session);
  }
  return found;
}

/** Every open session of this process, with its live kernels. */
export function listSessions(): SessionInfo[] {
  return openSessions().map((session) => session.info);
}
