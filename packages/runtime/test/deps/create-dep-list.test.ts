import { ArtificerError } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { createDepList, type DepInstaller } from "../../src/index.js";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";

/** An installer that keeps its installations in a map and knows no package named `absent`. */
function createMemoryInstaller(): DepInstaller & { made: Map<string, string[]> } {
  const made = new Map<string, string[]>();
  const keyOf = (specs: readonly string[]) => [...specs].sort().join(" ");
  return {
    made,
    find: async (specs) => made.get(keyOf(specs)),
    async install(specs) {
      if (specs.includes("absent")) throw new ArtificerError("dep/install-failed", "There is no absent.");
      const paths = made.get(keyOf(specs)) ?? [`/installed/${made.size}`];
      const installed = made.has(keyOf(specs)) ? [] : [...specs];
      made.set(keyOf(specs), paths);
      return { paths, installed };
    },
  };
}

async function open(text: string, options: { allowRuntimeDeps?: boolean; installs?: boolean } = {}) {
  const storage = createMemoryStorage();
  const write = (content: string) => storage.blobs.write("requirements.txt", Buffer.from(content));
  if (text !== "") await write(text);
  const installer = createMemoryInstaller();
  const told: string[][] = [];
  const deps = createDepList({
    storage,
    ...(options.installs === false ? {} : { installer }),
    allowRuntimeDeps: options.allowRuntimeDeps ?? true,
    onPaths: async (paths) => void told.push([...paths]),
  });
  const read = async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await storage.blobs.read("requirements.txt"))!.bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  return { deps, installer, told, read, write };
}

describe("a session's deps [P6]", () => {
  it("keep comments and order in requirements.txt, and take the place of an older spec of the same package", async () => {
    const { deps, read } = await open("# ours\nPandas>=1  # for tables\n\n-r other.txt\nsix\n");
    expect(await deps.list()).toEqual([
      { spec: "Pandas>=1", name: "pandas", installed: false },
      { spec: "six", name: "six", installed: false },
    ]);
    expect(await deps.add("pandas>=2")).toEqual({ spec: "pandas>=2", name: "pandas", installed: true });
    expect(await read()).toBe("# ours\n\n-r other.txt\nsix\npandas>=2\n");
    expect(await deps.remove("Six")).toBe(true);
    expect(await deps.remove("six")).toBe(false);
  });

  it("are installed as they are added, and the kernels are told where they lie", async () => {
    const { deps, installer, told } = await open("");
    await deps.add("one");
    await deps.add("two==2");
    expect([...installer.made.keys()]).toEqual(["one", "one two==2"]);
    expect(told).toEqual([["/installed/0"], ["/installed/1"]]);
    expect(await deps.paths()).toEqual(["/installed/1"]);
    expect(await deps.sync()).toEqual({ installed: [] });
    await deps.remove("two");
    expect(await deps.sync()).toEqual({ installed: [] });
    expect(await deps.paths()).toEqual(["/installed/0"]);
  });

  it("stay as they were when one can't be installed or is no requirement", async () => {
    const { deps, read, told } = await open("one\n");
    await expect(deps.add("absent")).rejects.toMatchObject({ code: "dep/install-failed" });
    for (const spec of ["", "not a package !", "-r other.txt", "x\ny", "; rm -rf /"])
      await expect(deps.add(spec)).rejects.toMatchObject({ code: "dep/invalid", hint: expect.any(String) });
    expect(await read()).toBe("one\n");
    expect(told).toEqual([]);
  });

  it("are locked to what was declared when the session first read them, and that much can be installed", async () => {
    const { deps, write, installer } = await open("one\n", { allowRuntimeDeps: false });
    expect(await deps.paths()).toEqual([]);
    await write("one\ntwo\n");
    await expect(deps.add("two")).rejects.toMatchObject({ code: "dep/locked" });
    await expect(deps.remove("one")).rejects.toMatchObject({ code: "dep/locked" });
    expect(await deps.sync()).toEqual({ installed: ["one"] });
    expect([...installer.made.keys()]).toEqual(["one"]);
    expect((await deps.list()).map(({ name }) => name)).toEqual(["one"]);
  });

  it("can be declared without an installer, and say so when they are to be installed", async () => {
    const { deps } = await open("", { installs: false });
    expect(await deps.sync()).toEqual({ installed: [] });
    expect(await deps.add("one")).toMatchObject({ installed: false });
    await expect(deps.sync()).rejects.toMatchObject({
      code: "dep/install-failed",
      hint: expect.stringContaining("one"),
    });
  });
});
