import { dirname } from "node:path";
import type { Interpreter, KernelProgram } from "@artificer/protocol";
import type { Workspace } from "../workspace/workspace.js";
import { folderMounts, systemMounts } from "./system-mounts.js";

/** What a sandbox is made of; paths are real ones. */
export interface SandboxSetup {
  workspace: Workspace | undefined;
  hidden: readonly string[];
  readable: readonly string[];
  network: "none" | "host";
  tmpBytes: number;
  /** Where the kernel begins. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Descriptors that bubblewrap reads: the filter, and the contents of /etc/passwd and /etc/group. */
  descriptors: { seccomp: number; passwd: number; group: number };
}

/** The user inside; outside it is the host's own, without its rights. */
export const sandboxUser = { uid: 1000, gid: 1000, name: "cell" } as const;

/** Arguments of bubblewrap that isolate: namespaces, rights, the system read-only, nothing else of the host. */
export function isolation(setup: Pick<SandboxSetup, "network" | "tmpBytes" | "descriptors">): string[] {
  const { network, tmpBytes, descriptors } = setup;
  const room = ["--size", String(tmpBytes), "--perms", "1777", "--tmpfs"];
  return [
    ...["user", "ipc", "pid", "uts"].map((namespace) => `--unshare-${namespace}`),
    "--unshare-cgroup-try",
    ...(network === "none" ? ["--unshare-net"] : []),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"],
    ...["--uid", String(sandboxUser.uid), "--gid", String(sandboxUser.gid)],
    ...["--seccomp", String(descriptors.seccomp)],
    ...systemMounts({ network }),
    ...["--ro-bind-data", String(descriptors.passwd), "/etc/passwd"],
    ...["--ro-bind-data", String(descriptors.group), "/etc/group"],
    // Read-only, since root's sandbox could otherwise write the machine's own settings under /proc/sys.
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...[...room, "/dev/shm", ...room, "/tmp"],
  ];
}

/** All of bubblewrap's arguments before the command. */
export function sandboxArguments(setup: SandboxSetup, program: KernelProgram, interpreter: Interpreter): string[] {
  const { workspace, hidden, readable, cwd, env } = setup;
  const cache = program.cacheFolder === undefined ? [] : [program.cacheFolder];
  return [
    ...isolation(setup),
    // Before the interpreter's folders: these stay readable when the workspace holds them.
    ...(workspace === undefined
      ? []
      : [workspace.mode === "rw" ? "--bind" : "--ro-bind", workspace.path, workspace.path]),
    ...hidden.flatMap((folder) => ["--tmpfs", folder]),
    ...readable.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...hidden.flatMap((folder) => ["--remount-ro", folder]),
    ...folderMounts([...interpreter.prefixes, dirname(interpreter.path), program.folder, ...cache]),
    // What bubblewrap itself has made is a tmpfs of no bounds.
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--clearenv", ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value])],
    ...["--chdir", cwd],
  ];
}
