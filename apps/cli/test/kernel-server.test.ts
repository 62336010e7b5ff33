import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "artificer";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, start, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const token = "a token that nobody guesses";

describe("artificer kernel-server", () => {
  it("does not start without a token, says how to make one, and listens to nobody meanwhile", async () => {
    for (const env of [{ ARTIFICER_KERNEL_TOKEN: "" }, { ARTIFICER_KERNEL_TOKEN: "short" }]) {
      const { exitCode, stdout, stderr } = await artificer(["kernel-server", "--listen", "127.0.0.1:0"], { env });
      expect(exitCode).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/token, and does not start|could be guessed/);
      expect(stderr).toContain("openssl rand");
    }
    const missing = ["kernel-server", "--listen", "127.0.0.1:0", "--token-file", join(folder.path, "absent")];
    expect((await artificer(missing)).stderr).toContain("absent");
  });

  it("runs the cells of a base whose configuration names it by its URL, and ends its kernels when it is told to", async () => {
    const server = start(["kernel-server", "--listen", "127.0.0.1:0"], { env: { ARTIFICER_KERNEL_TOKEN: token } });
    await server.told("listening at ");
    const base = join(folder.path, "base");
    await artificer(["init", "--base", base]);
    writeFileSync(join(folder.path, "token"), `${token}\n`);
    server.child.kill("SIGTERM");
    const { stdout, stderr, exitCode } = await server.finished;
    // As root each kernel has a user of its own, where other users can run what a kernel is; else it is told that they have none.
    if (process.getuid?.() !== 0) expect(stderr).toMatch(/^Kernels run as this user: .* Start it as root/);
    else expect(stderr).toMatch(/^(|Kernels run as this user: .*\n)$/);
    const url = /^listening at (http:\/\/127\.0\.0\.1:\d+)$/m.exec(stdout)?.[1] ?? "";
    expect(url).not.toBe("");
    expect(exitCode).toBe(143);
    const listen = url.replace("http://", "");
    const again = start(["kernel-server", "--listen", listen, "--token-file", join(folder.path, "token")]);
    await again.told(`listening at ${url}`);
    const config = (text: string) => writeFileSync(join(base, "config.yaml"), `embeddings: {engine: none}\n${text}`);
    const secret = `secrets: {kernels: {file: ${join(folder.path, "token")}}}\n`;
    config(`executor: container\ncontainer: {url: "${url}", token: kernels}\n${secret}`);
    {
      await using session = await Session.fromBase(base, { cwd: folder.path });
      for (const language of ["python", "typescript"] as const)
        expect(await session.run("1 + 1", { language })).toMatchObject({ status: "completed", value: 2 });
      // What the host would install is not seen there: it says so instead.
      expect(await session.addDep("anything")).toMatchObject({ installed: false });
      await expect(session.syncDeps()).rejects.toMatchObject({ code: "dep/install-failed" });
      await session.removeDep("anything");
      expect((await artificer(["doctor", "--base", base])).stdout).toMatch(
        /ok +executor container +usable, server: http/,
      );
      let begun: () => void = () => {};
      const printed = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const running = session.run("import time\nprint('begun')\ntime.sleep(60)", { onOutput: () => begun() });
      await printed;
      again.child.kill("SIGTERM");
      expect(await running).toMatchObject({ status: "crashed" });
      expect(await session.run("1")).toMatchObject({ status: "refused", error: { code: "executor/unavailable" } });
    }
    expect((await again.finished).exitCode).toBe(143);
  });

  it("is refused in a configuration that lacks its token, or sets what was settled elsewhere", async () => {
    const base = join(folder.path, "base");
    const told = async (container: string) => {
      writeFileSync(join(base, "config.yaml"), `executor: container\ncontainer: ${container}\n`);
      return (await artificer(["run", "--base", base, "-"], { stdin: "1" })).stderr;
    };
    expect(await told("{url: 'http://127.0.0.1:1'}")).toContain("token");
    expect(await told("{token: kernels}")).toContain("url");
    expect(await told("{url: 'http://127.0.0.1:1', token: kernels, image: mine}")).toContain("image");
  });
});
