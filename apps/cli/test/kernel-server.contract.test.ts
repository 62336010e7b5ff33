import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { testExecutor } from "@artificer/testkit";
import { openPodman } from "@artificer/testkit/confinement";
import { createPythonKernel, createRemoteExecutor, createTypescriptKernel } from "artificer";
import { afterAll } from "vitest";

const token = "the token of a server in a container";
const podman = await openPodman();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "artificer-server-")));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const name = `artificer-kernel-server-${process.pid}`;

/** The real command in a real container without a network: hosts reach it by the one socket that it shares with them. */
async function startContainer(): Promise<string> {
  if ("reason" in podman) throw new Error(podman.reason);
  writeFileSync(join(folder, "token"), `${token}\n`);
  chmodSync(folder, 0o777);
  chmodSync(join(folder, "token"), 0o644);
  const [file = "", ...own] = podman.command;
  execFileSync(
    file,
    [
      ...own,
      ...["run", "--detach", "--rm", "--name", name, "--pull", "never", "--log-driver", "none", "--network", "none"],
      ...["--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--user", "1000:1000"],
      ...[
        "--tmpfs",
        "/tmp:rw,nosuid,nodev,mode=1777,size=64m",
        "--memory",
        "3g",
        "--pids-limit",
        "300",
        "--init=false",
      ],
      ...["--volume", "/usr:/usr:ro", "--volume", `${repository}:/artificer:ro`, "--volume", `${folder}:/server`],
      ...["--workdir", "/tmp", "--entrypoint", "/usr/bin/node", podman.image],
      ...["/artificer/apps/cli/bin/artificer.mjs", "kernel-server", "--listen", "unix:/server/kernels"],
      ...["--token-file", "/server/token"],
    ],
    { env: { ...process.env, ...podman.env }, stdio: "pipe" },
  );
  const url = `unix:${join(folder, "kernels")}`;
  const executor = createRemoteExecutor({ url, token: async () => token });
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await executor.probe()).usable) return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server in the container did not come up: ${(await executor.probe()).reason}`);
}

const programs = [createPythonKernel(), createTypescriptKernel()];
// Where interpreters are found is the server's matter.
const memoryBytes = 1_600 * 2 ** 20;
let url: Promise<string> | undefined;
await testExecutor(
  "container, by the kernel server in it",
  async () => {
    url ??= startContainer();
    const executor = createRemoteExecutor({ url: await url, token: async () => token });
    return { executor, programs, memoryBytes, close: () => executor.close() };
  },
  { notRun: "reason" in podman ? podman.reason : undefined },
);

afterAll(async () => {
  if ("command" in podman) {
    const [file = "", ...own] = podman.command;
    if (url !== undefined) {
      execFileSync(file, [...own, "kill", "--signal", "KILL", name], { env: { ...process.env, ...podman.env } });
      execFileSync(file, [...own, "rm", "--force", "--ignore", name], { env: { ...process.env, ...podman.env } });
    }
    await podman.close();
  }
  rmSync(folder, { recursive: true, force: true });
});
