import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findProgram, locateProgram } from "./find-program.js";

/** Servers that speak Redis' language, as far as they differ in what a storage can do on them. */
export type RedisKind = "Redis without vector sets" | "Redis with vector sets" | "Valkey";

/** A kind of server, and where it is on this machine. */
export type RedisServer = { kind: RedisKind; name: string; program: string } | { kind: RedisKind; reason: string };

const variable = "ARTIFICER_TEST_REDIS_PROGRAMS";
const wanted: Record<RedisKind, string> = {
  "Redis without vector sets": "no redis-server older than 8",
  "Redis with vector sets": "no redis-server of version 8 or later",
  Valkey: "no valkey-server",
};

/** The program of the server that tests start: the first that the variable names, else redis-server, which is installed as root on Debian. */
export async function usualRedisProgram(): Promise<string> {
  return namedPrograms()[0] ?? (await findProgram({ name: "redis-server", debianPackage: "redis-server" }));
}

/** Every kind, the usual program's first, with the reason where this machine has none of it. */
export async function findRedisServers(): Promise<RedisServer[]> {
  const programs = [await usualRedisProgram(), ...namedPrograms()];
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const name of ["redis-server", "valkey-server"])
      if ((await locateProgram({ name, folders: async () => [folder] })) === join(folder, name))
        programs.push(join(folder, name));
  const found = new Map<RedisKind, RedisServer>();
  for (const program of new Set(programs)) {
    const server = await describe(program);
    if (!found.has(server.kind)) found.set(server.kind, server);
  }
  for (const [kind, lack] of Object.entries(wanted) as [RedisKind, string][])
    if (!found.has(kind)) found.set(kind, { kind, reason: `${lack} on PATH or in ${variable}` });
  return [...found.values()];
}

function namedPrograms(): string[] {
  return (process.env[variable] ?? "").split(delimiter).filter((path) => path !== "");
}

async function describe(program: string): Promise<{ kind: RedisKind; name: string; program: string }> {
  const { stdout } = await promisify(execFile)(program, ["--version"]);
  const [, brand, version = ""] = /^(Redis|Valkey) server v=(\S+)/.exec(stdout) ?? [];
  if (brand === undefined) throw new Error(`${program} is no Redis or Valkey server: it says ${stdout}`);
  const name = `${brand} ${version}`;
  if (brand === "Valkey") return { kind: "Valkey", name, program };
  const hasSets = Number.parseInt(version, 10) >= 8;
  return { kind: hasSets ? "Redis with vector sets" : "Redis without vector sets", name, program };
}
