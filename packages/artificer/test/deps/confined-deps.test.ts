import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrograms, openPodman } from "@artificer/testkit/confinement";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createContainerExecutor, createSandboxExecutor, type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "../session/temp-folder.js";
import { type LocalPackages, openLocalPackages } from "./local-packages.js";

const temp = useTempFolder();
const podman = await openPodman();
const noSandbox =
  (process.platform === "linux" ? await ensurePrograms({ bwrap: "bubblewrap" }) : undefined) ??
  (await createSandboxExecutor().probe()).reason;
let packages: LocalPackages;
let session: Session | undefined;

beforeAll(async () => {
  packages = await openLocalPackages();
  for (const name of ["local_one", "local_two"]) packages.makeWheel(name, "1.0");
});
afterEach(() => session?.close());
afterAll(async () => {
  await packages.close();
  if ("close" in podman) await podman.close();
});

/** A project with a workspace that holds the base, which cells find empty but for the packages. */
async function open(
  kind: string,
  workspace: "ro" | "rw" | "none",
  options: (base: string, project: string) => FromBaseOptions,
) {
  const project = await temp();
  const base = join(project, ".artificer");
  // A container's user is another where root runs it.
  await chmod(project, 0o755);
  await mkdir(base);
  const config = {
    executor: kind,
    // In a container it is the image's own that is meant.
    python: { interpreter: kind === "container" ? "/usr/bin/python3" : packages.python },
    embeddings: { engine: "none" },
    deps: { install_args: ["--no-index", "--find-links", packages.wheels] },
    ...(workspace === "none" ? {} : { [kind]: { workspace: { path: "..", mode: workspace } } }),
  };
  await writeFile(join(base, "config.yaml"), JSON.stringify(config));
  await writeFile(join(base, "requirements.txt"), "local_one\n");
  session = await Session.fromBase(base, { cwd: project, ...options(base, project) });
  return { base, session };
}

/** From before the kernel started, from while it runs, and from before the next one: all are there, and none can be changed. */
async function expectPackages({ base, session }: { base: string; session: Session }): Promise<void> {
  await session.syncDeps();
  const told = (outcome: unknown) => JSON.stringify(outcome, undefined, 1);
  const first = await session.run("import local_one\nlocal_one.version");
  expect(first, told(first)).toMatchObject({ value: "1.0", generation: 1 });
  const second = await session.run("deps.add('local_two')\nimport local_two\nlocal_two.version");
  expect(second, told(second)).toMatchObject({ value: "1.0", generation: 1 });
  await session.restart();
  expect(await session.run("import local_one, local_two\n(local_one.version, local_two.version)")).toMatchObject({
    generation: 2,
    value: { 0: "1.0", 1: "1.0" },
  });
  const write = `import os\ntry:\n    open(local_two.__file__, "w")\n    result = "written"\nexcept OSError as error:\n    result = error.errno\nresult`;
  expect([1, 13, 30]).toContain((await session.run(write)).value);
  const seen = await session.run(
    `os.path.isdir(${JSON.stringify(base)}) and sorted(os.listdir(${JSON.stringify(base)}))`,
  );
  expect(seen.value).toEqual([".state"]);
  expect((await session.run(`os.listdir(${JSON.stringify(join(base, ".state"))})`)).value).toEqual(["python"]);
  expect((await readdir(base)).length).toBeGreaterThan(2);
}

describe.each(["none", "ro", "rw"] as const)("packages that deps has installed, with the workspace %s", (workspace) => {
  it("are imported in a sandbox, from the one folder of the base that it sees", {
    timeout: 120_000,
  }, async (context) => {
    if (noSandbox !== undefined) return context.skip(noSandbox);
    await expectPackages(await open("sandbox", workspace, () => ({})));
  });

  it("are imported in a container, from the one folder of the base that it sees", {
    timeout: 120_000,
  }, async (context) => {
    if ("reason" in podman) return context.skip(podman.reason);
    const { command: engine, env: engineEnv, image, mounts } = podman;
    await expectPackages(
      await open("container", workspace, (base, project) => ({
        executor: createContainerExecutor({
          engine,
          engineEnv,
          image,
          mounts,
          hidden: [base],
          readable: [join(base, ".state", "python")],
          ...(workspace === "none" ? {} : { workspace: { path: project, mode: workspace } }),
        }),
      })),
    );
  });
});
