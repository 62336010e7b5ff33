import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensurePrograms } from "./ensure-programs.js";

const run = promisify(execFile);

/** Podman with images and containers of its own, apart from the machine's. */
export interface OwnPodman {
  /** Its command line. */
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** An image of folders and links alone: the machine's own /usr is its system, mounted by `mounts`. */
  image: string;
  mounts: readonly { source: string; target: string }[];
  close(): Promise<void>;
}

const image = "localhost/artificer-test-system:1";

/** What the machine's cgroups, limits of descriptors and missing networks ask of Podman: found one failure at a time. */
const settings = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`;

/**
 * Opens Podman for tests, as root; on Debian it is installed when it is missing. Needs no registry. Gives the reason where
 * that can't be.
 */
export async function openPodman(): Promise<OwnPodman | { reason: string }> {
  if (process.platform !== "linux") return { reason: `containers need Linux, and this is ${process.platform}` };
  if (process.getuid?.() !== 0) return { reason: "the image without a registry runs as root alone" };
  const missing = await ensurePrograms({ podman: "podman", runc: "runc", conmon: "conmon" });
  if (missing !== undefined) return { reason: missing };
  const folder = await mkdtemp(join(tmpdir(), "artificer-podman-"));
  await writeFile(join(folder, "containers.conf"), settings);
  const command = ["podman", "--root", join(folder, "root"), "--runroot", join(folder, "run")];
  const env = { CONTAINERS_CONF: join(folder, "containers.conf") };
  const close = async () => {
    await unmountWithin(folder);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ask = (...args: string[]) =>
      run(command[0] ?? "", [...command.slice(1), ...args], { env: { ...process.env, ...env }, timeout: 60_000 });
    await ask("import", await packSystem(folder), image);
    await ask(
      "run",
      "--rm",
      "--network",
      "none",
      "--log-driver",
      "none",
      "--volume",
      "/usr:/usr:ro",
      image,
      "/bin/true",
    );
  } catch (error) {
    await close();
    const { stderr = "" } = error as { stderr?: string };
    return { reason: `podman runs no container here: ${stderr.trim().split("\n").at(-1) || String(error)}` };
  }
  return { command, env, image, mounts: [{ source: "/usr", target: "/usr" }], close };
}

async function packSystem(folder: string): Promise<string> {
  const system = join(folder, "system");
  for (const name of ["usr", "etc", "proc", "dev", "sys", "tmp", "run", "var", "root"])
    await mkdir(join(system, name), { recursive: true });
  // The mode of what is mounted over it is taken from here.
  await chmod(join(system, "tmp"), 0o1777);
  for (const name of ["bin", "sbin", "lib", "lib64"]) await symlink(`usr/${name}`, join(system, name));
  await writeFile(join(system, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  await writeFile(join(system, "etc/group"), "root:x:0:\n");
  const archive = join(folder, "system.tar");
  await run("tar", ["-C", system, "-cf", archive, "."]);
  return archive;
}

/** What Podman leaves mounted below its own folder would be in the way of removing it. */
async function unmountWithin(folder: string): Promise<void> {
  const mounts = (await readFile("/proc/mounts", "utf8")).split("\n").map((line) => line.split(" ")[1] ?? "");
  for (const path of mounts.filter((mount) => mount.startsWith(`${folder}/`)).reverse())
    await run("umount", ["-l", path]).catch(() => undefined);
}
