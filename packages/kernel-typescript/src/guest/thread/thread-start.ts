import { isMainThread, workerData } from "node:worker_threads";
import type { ThreadStart } from "@artificer/protocol";

/** What the host gave this kernel, when it is a thread of the host's process; undefined when it is a process of its own. */
export const threadStart: ThreadStart | undefined = isMainThread ? undefined : (workerData as ThreadStart);
