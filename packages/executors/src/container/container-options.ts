import type { Language } from "@artificer/protocol";
import type { Workspace } from "../workspace/workspace.js";

export interface ContainerExecutorOptions {
  /** The engine's command line, with options of its own. Default: `podman`, else `docker`, whichever answers. */
  engine?: readonly string[];
  /** Variables for the engine's command line alone, beside the host's. */
  engineEnv?: Readonly<Record<string, string>>;
  /** The image, which must be there: none is ever pulled. Default `localhost/artificer-kernel`, see container/Dockerfile. */
  image?: string;
  /** Interpreters in the image. Default `python3` and `node`, as its PATH finds them. */
  interpreters?: Partial<Record<Language, string>>;
  /** Seen by cells under its own path. Default: none, and cells begin in an empty /tmp. */
  workspace?: Workspace;
  /** Folders within the workspace that cells find empty: those the host takes orders from, or keeps others' data in. */
  hidden?: readonly string[];
  /**
   * More folders of the host that cells may read under their own paths, within hidden ones too, such as that of installed
   * packages. Made where they are missing, so that what comes later is seen.
   */
  readable?: readonly string[];
  /** More of the host, read-only: `source` there is `target` inside. */
  mounts?: readonly { source: string; target: string }[];
  /** The engine's name of a network. Default `none`. */
  network?: string;
  /** Size of the private /tmp, which is memory, in bytes. Default 256 MiB. */
  tmpBytes?: number;
  /** Memory when a kernel's limits name none, in bytes. Default 2 GiB. */
  memoryBytes?: number;
  /** Processes and threads when a kernel's limits name no number. Default 256. */
  processes?: number;
  /** Processors a kernel may keep busy. Default: no bound. */
  cpus?: number;
  /** Who the kernel is inside, `uid:gid`. Default: this process's user, or 1000:1000 where that is root. */
  user?: string;
  /** Bound on the time until the kernel has connected, in milliseconds. Default 30000. */
  startTimeoutMs?: number;
  /** How long output may still arrive after the container has ended, in milliseconds. Default 500. */
  graceMs?: number;
}
