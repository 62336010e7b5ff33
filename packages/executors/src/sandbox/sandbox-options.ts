import type { KernelProgram } from "@artificer/protocol";
import type { Workspace } from "../workspace/workspace.js";

export interface SandboxExecutorOptions {
  /** The programs whose interpreters `probe` looks for, and whose languages it declares. */
  programs?: readonly KernelProgram[];
  /** Seen by cells under its own path. Default: none, and cells begin in an empty /tmp. */
  workspace?: Workspace;
  /** Folders within the workspace that cells find empty: those the host takes orders from, or keeps others' data in. */
  hidden?: readonly string[];
  /**
   * More folders of the host that cells may read under their own paths, within hidden ones too, such as that of installed
   * packages. Made where they are missing, so that what comes later is seen.
   */
  readable?: readonly string[];
  /** `none` (the default): not even this machine's loopback; `host`: all that the host reaches. */
  network?: "none" | "host";
  /** Size of the private /tmp, which is memory, and of /dev/shm, in bytes. Default 256 MiB each. */
  tmpBytes?: number;
  /** Processes and threads of a kernel when its limits name no number. Default 256. */
  processes?: number;
  /** The bubblewrap program. Default `bwrap`, looked for on PATH. */
  bwrap?: string;
  /** How long output may still arrive after the process has ended while others hold its pipes, in milliseconds. Default 100. */
  graceMs?: number;
}
