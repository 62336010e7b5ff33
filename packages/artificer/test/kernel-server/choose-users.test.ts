import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kernelUsers } from "@artificer/executors/kernel-server";
import type { KernelProgram } from "@artificer/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { chooseUsers } from "../../src/kernel-server/choose-users.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-users-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const mayGive = kernelUsers() !== undefined;
const onlyRoot = "not run: only root with the rights to become others can give users away";

function program(path: string | undefined): KernelProgram {
  return {
    language: "python",
    folder: "/",
    async findInterpreter() {
      if (path === undefined) throw new Error("no interpreter");
      return { path, version: "1", prefixes: [] };
    },
    command: () => [],
  };
}

function file(name: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

describe("whom the kernels of a server run as", () => {
  it("is a user of its own for each, where this process may become others, and else is told with the way to mend it", async () => {
    const { user, problems } = await chooseUsers([program("/bin/true"), program(undefined)]);
    if (mayGive) {
      expect(problems).toEqual([]);
      expect(user!()).not.toEqual(user!());
    } else {
      expect(user).toBeUndefined();
      expect(problems).toEqual([expect.stringMatching(/^Kernels run as this user: .*SETUID, SETGID and KILL/)]);
    }
  });

  it("is the server's own, and is told, where other users can't run the interpreter", async ({ skip }) => {
    skip(!mayGive, onlyRoot);
    const hidden = file("interpreter", 0o700);
    expect(await chooseUsers([program(hidden)])).toMatchObject({
      user: undefined,
      problems: [expect.stringContaining(hidden)],
    });
  });

  it("does not help where the token's file is for all to read, which is told", async ({ skip }) => {
    skip(!mayGive, onlyRoot);
    chmodSync(folder, 0o755);
    const open = file("open-token", 0o644);
    expect((await chooseUsers([program("/bin/true")], open)).problems).toEqual([expect.stringContaining(open)]);
    expect((await chooseUsers([program("/bin/true")], file("token", 0o400))).problems).toEqual([]);
  });
});
