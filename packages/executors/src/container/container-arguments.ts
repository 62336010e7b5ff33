import { ArtificerError, type ResourceLimits } from "@artificer/protocol";
import { limitedCommand } from "../child-process/limited-command.js";
import type { Workspace } from "../workspace/workspace.js";

/** What a container is made of. */
export interface ContainerSetup {
  image: string;
  name: string;
  labels: readonly string[];
  isPodman: boolean;
  /** Whether the engine runs without root's rights, with this user's id kept inside. */
  keepsUserId: boolean;
  user: string;
  network: string;
  tmpBytes: number;
  limits: ResourceLimits & { memoryBytes: number; processes: number };
  cpus: number | undefined;
  /** On the host: the wire's socket and the pipes of output, and the kernel program's folder. */
  link: { wire: string; stdout: string; stderr: string };
  programFolder: string;
  workspace: Workspace | undefined;
  hidden: readonly string[];
  readable: readonly string[];
  mounts: readonly { source: string; target: string }[];
  cwd: string;
  /** Variables by name whose values the command line takes from its own environment, or `NAME=value`. */
  env: readonly string[];
  command: readonly string[];
}

/** Where the kernel finds its program and its wire, inside. */
const room = "/run/artificer";
export const inside = { folder: `${room}/kernel`, wire: `${room}/wire` } as const;

/** The container's first process waits for the kernel, since a first process can't be ended by a signal; it says nothing itself. */
const firstProcess = 'exec >"$0/stdout" 3>"$0/stderr" 2>/dev/null; "$@" 2>&3 3>&-; exit $?';

/** Arguments of `podman` or `docker` that run a kernel in a container. */
export function containerArguments(setup: ContainerSetup): string[] {
  const { limits, workspace } = setup;
  const { cpuSeconds, openFiles, fileBytes } = limits;
  const command = limitedCommand(setup.command, {
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(fileBytes === undefined ? {} : { fileBytes }),
  });
  // Podman would fill what is mounted with what it covers.
  const empty = setup.isPodman ? ",notmpcopyup" : "";
  return [
    ...["run", "--rm", "--name", setup.name, "--pull", "never", "--log-driver", "none"],
    ...setup.labels.flatMap((label) => ["--label", label]),
    ...["--network", setup.network, "--hostname", "sandbox"],
    ...["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--user", setup.user],
    // Podman would add writable folders of no bounds of its own.
    ...(setup.isPodman ? ["--read-only-tmpfs=false"] : []),
    ...(setup.keepsUserId ? ["--userns", "keep-id"] : []),
    ...["--tmpfs", `/tmp:rw,nosuid,nodev,mode=1777,size=${setup.tmpBytes}${empty}`],
    ...["--memory", String(limits.memoryBytes), "--memory-swap", String(limits.memoryBytes)],
    // One more, for the shell that waits.
    ...["--pids-limit", String(limits.processes + 1)],
    ...(setup.cpus === undefined ? [] : ["--cpus", String(setup.cpus)]),
    ...bind(setup.programFolder, inside.folder, "ro"),
    ...Object.entries(setup.link).flatMap(([name, path]) => bind(path, `${room}/${name}`, "rw")),
    ...setup.mounts.flatMap(({ source, target }) => bind(source, target, "ro")),
    ...(workspace === undefined ? [] : bind(workspace.path, workspace.path, workspace.mode)),
    ...setup.hidden.flatMap((folder) => ["--tmpfs", `${folder}:ro,size=4096${empty}`]),
    ...setup.readable.flatMap((folder) => bind(folder, folder, "ro")),
    ...setup.env.flatMap((variable) => ["--env", variable]),
    ...["--workdir", setup.cwd, "--entrypoint", "/bin/sh", setup.image],
    ...["-c", firstProcess, room, ...command],
  ];
}

function bind(source: string, target: string, mode: "ro" | "rw"): string[] {
  for (const path of [source, target]) {
    if (!path.includes(",")) continue;
    throw new ArtificerError("executor/unsupported", `A container can't be given ${path}, for its comma.`, {
      details: { path },
      hint: "Rename the folder, or give one whose path has no comma.",
    });
  }
  return ["--mount", `type=bind,source=${source},target=${target}${mode === "ro" ? ",readonly" : ""}`];
}
