import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { expandReferences } from "../../src/storage/expand-references.js";
import { hidePasswords } from "../../src/storage/hide-passwords.js";
import { openStorage } from "../../src/storage/open-storage.js";
import { parseStorageAddress } from "../../src/storage/storage-address.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-urls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a name is referred to. */
const reference = (name: string) => `\${${name}}`;

describe("The URL of a storage", () => {
  it("names a folder, a server with its part, or memory [P12]", () => {
    const read = (url: string) => parseStorageAddress(url, { cwd: "/base" });
    expect(read("./data")).toEqual({ kind: "file", folder: "/base/data", location: "file:/base/data" });
    expect(read("file:data")).toMatchObject({ kind: "file", folder: "/base/data" });
    expect(read("file:///a%20b")).toMatchObject({ kind: "file", folder: "/a b" });
    expect(read("memory:")).toEqual({ kind: "memory", location: "memory:" });
    expect(read("pglite:./db?tenant=acme")).toMatchObject({ kind: "pglite", folder: "/base/db", tenant: "acme" });
    expect(read("redis://me:secret@host:6380/2?prefix=acme")).toEqual({
      kind: "redis",
      url: "redis://me:secret@host:6380/2",
      prefix: "acme",
      location: "redis://me:***@host:6380/2?prefix=acme",
    });
    expect(read("postgresql://u:p@host/db?sslmode=require&tenant=t&schema=s")).toEqual({
      kind: "postgres",
      url: "postgresql://u:p@host/db?sslmode=require",
      tenant: "t",
      schema: "s",
      location: "postgresql://u:***@host/db?sslmode=require&tenant=t&schema=s",
    });
  });

  it("is refused with the way to write it, and never shows the password", () => {
    for (const [url, hint] of [
      ["", undefined],
      ["pglite:", "pglite:./data"],
      ["rediss:host", "rediss://USER"],
      ["reddis://:hunter2@host", "Did you mean redis:?"],
      ["mysql://root:hunter2@host/db", "Known: a folder"],
      ["redis://host?tenant=acme", "prefix"],
      ["postgres://u:hunter2@ho st/db", "postgres://USER"],
    ] as const) {
      try {
        parseStorageAddress(url);
        expect.fail(`${url} was taken`);
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "usage/invalid-argument" });
        const said = JSON.stringify(thrown);
        expect(said).not.toContain("hunter2");
        if (hint !== undefined) expect(said).toContain(hint);
      }
    }
  });

  it("is shown without passwords, also those that should have been encoded", () => {
    expect(hidePasswords("redis://:p@ss/w0rd@host:1/0")).toBe("redis://:***@host:1/0");
    expect(hidePasswords("postgres://u@host/db?password=x&sslmode=require")).toBe(
      "postgres://u@host/db?password=***&sslmode=require",
    );
    expect(hidePasswords("redis://host")).toBe("redis://host");
    expect(hidePasswords("./folder")).toBe("./folder");
  });

  it("takes secrets and variables by name, encoded where they are a password", async () => {
    const lookup = (name: string) => ({ PASSWORD: "p@ss/word", HOST: "host:6379", URL: "redis://a:b@c" })[name];
    expect(await expandReferences(`redis://me:${reference("PASSWORD")}@${reference("HOST")}/0`, lookup)).toBe(
      "redis://me:p%40ss%2Fword@host:6379/0",
    );
    expect(await expandReferences(reference("URL"), lookup)).toBe("redis://a:b@c");
    await expect(expandReferences(`redis://me:${reference("NONE")}@host`, lookup)).rejects.toMatchObject({
      code: "config/invalid",
      details: { name: "NONE" },
    });
  });

  it("opens a folder and memory, and tells of a server that does not answer without its password", async () => {
    for (const url of [join(folder, "plain"), `file:${join(folder, "plain")}`, "memory:"]) {
      const storage = await openStorage(url);
      await storage.records.put("a", { b: 1 });
      expect((await storage.records.get("a"))?.value).toEqual({ b: 1 });
      await storage.close();
    }
    for (const url of ["redis://me:hunter2@127.0.0.1:1", "postgres://me:hunter2@127.0.0.1:1/db"]) {
      const thrown: unknown = await openStorage(url).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: "storage/unavailable" });
      expect(`${JSON.stringify(thrown)}${(thrown as Error).stack}`).not.toContain("hunter2");
    }
  });

  it("names the package to install when a driver is not there", async () => {
    // An installation of its own, that has everything but the drivers of servers.
    const modules = join(folder, "installed", "node_modules");
    const dist = join(import.meta.dirname, "../../dist/storage");
    mkdirSync(join(modules, "@artificer"), { recursive: true });
    for (const name of ["protocol", "runtime", "storage-file"]) {
      mkdirSync(join(modules, "@artificer", name));
      writeFileSync(
        join(modules, "@artificer", name, "package.json"),
        JSON.stringify({ type: "module", exports: "./index.js" }),
      );
    }
    const real = (name: string) => JSON.stringify(import.meta.resolve(name));
    const index = (name: string, text: string) => writeFileSync(join(modules, "@artificer", name, "index.js"), text);
    index("protocol", `export * from ${real("@artificer/protocol")};`);
    index("runtime", `export * from ${real("@artificer/runtime")};`);
    index("storage-file", `export * from ${real("@artificer/storage-file")};`);
    cpSync(dist, join(folder, "installed", "storage"), { recursive: true });
    writeFileSync(join(folder, "installed", "package.json"), '{"type": "module"}');
    const program = `
      const { openStorage } = await import("./storage/open-storage.js");
      for (const url of ["redis://h", "postgres://h/d", "pglite:./d"])
        await openStorage(url).catch(({ code, hint }) => console.log(code, hint));`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(folder, "installed"),
    });
    expect((await run).stdout.trim().split("\n")).toEqual([
      "storage/driver-missing Install it: npm install @artificer/storage-redis",
      "storage/driver-missing Install it: npm install @artificer/storage-postgres",
      "storage/driver-missing Install it: npm install @artificer/storage-postgres",
    ]);
  });
});
