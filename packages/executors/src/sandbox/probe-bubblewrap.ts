import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { feedDescriptors } from "./feed-descriptors.js";
import { isolation } from "./sandbox-arguments.js";
import { hasSeccompFilter } from "./seccomp/seccomp-filter.js";

export type Bubblewrap =
  | { usable: true; path: string; version: string }
  | { usable: false; reason: string; hint: string };

/** The oldest that bounds the size of what it mounts. */
const oldest = [0, 7] as const;

/** Whether bubblewrap is here, recent enough, and allowed to make what a sandbox is made of: it makes one to find out. */
export async function probeBubblewrap(program: string): Promise<Bubblewrap> {
  if (process.platform !== "linux") {
    return no(
      `The sandbox is made of Linux namespaces, and this is ${process.platform}.`,
      "Use the container executor.",
    );
  }
  if (!hasSeccompFilter(process.arch)) {
    return no(`The sandbox has no filter of system calls for ${process.arch}.`, "Use the container executor.");
  }
  const path = locate(program);
  if (path === undefined) {
    return no(
      `There is no ${program} on this machine's PATH.`,
      "Install bubblewrap: `apt-get install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`.",
    );
  }
  const asked = await run(path, ["--version"]);
  const [, version = "", major = "0", minor = "0"] = /((\d+)\.(\d+)\S*)/.exec(asked.output) ?? [];
  if (asked.code !== 0 || Number(major) < oldest[0] || (Number(major) === 0 && Number(minor) < oldest[1])) {
    return no(
      `${path} is bubblewrap ${version || "of no known version"}; the sandbox needs ${oldest.join(".")} or newer.`,
      "Install a newer bubblewrap.",
    );
  }
  return (await tryOut(path)) ?? { usable: true, path, version };
}

async function tryOut(path: string): Promise<Bubblewrap | undefined> {
  const descriptors = { seccomp: 3, passwd: 4, group: 5 };
  const args = [...isolation({ network: "none", tmpBytes: 2 ** 20, descriptors }), "--remount-ro", "/", "/bin/true"];
  const { code, output } = await run(path, args, descriptors);
  if (code === 0) return undefined;
  return no(`bubblewrap can't make a sandbox here: ${output.trim() || `it ended with ${code}`}.`, hintFor(output));
}

function hintFor(output: string): string {
  if (!/namespace|Operation not permitted|uid map|Permission denied|No space left/i.test(output)) {
    return "Run `bwrap --ro-bind / / --unshare-all true` to see what it lacks.";
  }
  return (
    "Unprivileged user namespaces are off. As root: `sysctl kernel.unprivileged_userns_clone=1` (Debian), " +
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu), `sysctl user.max_user_namespaces=10000` (RHEL); " +
    "in a container, run it with `--security-opt seccomp=unconfined` and, for Docker, `--security-opt systempaths=unconfined`."
  );
}

function run(path: string, args: readonly string[], descriptors?: { seccomp: number; passwd: number; group: number }) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const stdio = ["ignore", "pipe", "pipe", ...(descriptors === undefined ? [] : (["pipe", "pipe", "pipe"] as const))];
    const child = spawn(path, args, { env: {}, stdio: stdio as "pipe"[], timeout: 10_000, killSignal: "SIGKILL" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => resolve({ code: null, output: error.message }));
    child.once("close", (code) => resolve({ code, output }));
    if (descriptors !== undefined) feedDescriptors(child, descriptors);
  });
}

function locate(program: string): string | undefined {
  if (program.includes("/")) return existsSync(program) ? resolve(program) : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function no(reason: string, hint: string): Bubblewrap {
  return { usable: false, reason, hint };
}
