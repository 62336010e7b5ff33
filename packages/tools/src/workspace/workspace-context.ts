import type { WorkspaceRoot } from "./workspace-root.js";

/** Bounds of a workspace's tools. */
export interface WorkspaceLimits {
  /** Largest file that is read, written or patched. 64 MiB unless given. */
  maxFileBytes: number;
  /** Most text that `read_file` gives at once, in characters. 1,000,000 unless given. */
  maxReadChars: number;
  /** Files above this are not searched. 10 MiB unless given. */
  maxSearchBytes: number;
  /** Output of a command that is kept; of more, beginning and end. 1 MiB unless given. */
  maxOutputBytes: number;
  /** Time of a command unless the call says otherwise, in milliseconds. 180,000 unless given. */
  commandTimeoutMs: number;
  /** The longest time that a call may ask for, in milliseconds. 1,800,000 unless given. */
  maxCommandTimeoutMs: number;
}

export const defaultWorkspaceLimits: WorkspaceLimits = {
  maxFileBytes: 64 * 1024 * 1024,
  maxReadChars: 1_000_000,
  maxSearchBytes: 10 * 1024 * 1024,
  maxOutputBytes: 1024 * 1024,
  commandTimeoutMs: 180_000,
  maxCommandTimeoutMs: 1_800_000,
};

/** What a workspace's tools share. */
export interface WorkspaceContext {
  root: WorkspaceRoot;
  limits: WorkspaceLimits;
  /** Lets changes to files happen one after another, so that none is lost between reading and writing. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}
