import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { sandboxUser } from "./sandbox-arguments.js";
import { type SeccompArchitecture, seccompFilter } from "./seccomp/seccomp-filter.js";

const { uid, gid, name } = sandboxUser;
const passwd = `root:x:0:0:root:/:/usr/sbin/nologin\n${name}:x:${uid}:${gid}:${name}:/tmp:/bin/sh\n`;
const group = `root:x:0:\n${name}:x:${gid}:\n`;

/** Hands bubblewrap, through pipes, what it reads from descriptors: so that nothing of it is seen among processes' arguments. */
export function feedDescriptors(
  child: ChildProcess,
  descriptors: { seccomp: number; passwd: number; group: number; args?: number },
  args: readonly string[] = [],
): void {
  const feed = (descriptor: number, content: string | Uint8Array) => {
    const pipe = child.stdio[descriptor] as Writable;
    // A bubblewrap that ended early is told by its end.
    pipe.on("error", () => undefined);
    pipe.end(content);
  };
  if (descriptors.args !== undefined) feed(descriptors.args, args.map((text) => `${text}\0`).join(""));
  feed(descriptors.seccomp, seccompFilter(process.arch as SeccompArchitecture));
  feed(descriptors.passwd, passwd);
  feed(descriptors.group, group);
}
