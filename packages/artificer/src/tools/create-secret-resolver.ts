import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { SecretSource } from "../config/config-schema.js";

const run = promisify(execFile);
const commandTimeoutMs = 30_000;
/** A command may ask a person: what it gave is kept for a while. */
const keptMs = 300_000;

export interface SecretResolverOptions {
  /** What files are relative to, and where commands run. */
  folder: string;
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Gives the secrets that config.yaml names, from where they are kept, and no others. */
export function createSecretResolver(
  secrets: Readonly<Record<string, SecretSource>>,
  { folder, environment = process.env }: SecretResolverOptions,
): (name: string) => Promise<string | undefined> {
  const given = new Map<string, { value: Promise<string>; until: number }>();
  const fromCommand = (name: string, [program = "", ...args]: string[]) => {
    const known = given.get(name);
    if (known !== undefined && known.until > performance.now()) return known.value;
    const value = run(program, args, { cwd: folder, timeout: commandTimeoutMs, maxBuffer: 1024 * 1024 }).then(
      ({ stdout }) => stdout.replace(/\r?\n$/, ""),
    );
    given.set(name, { value, until: performance.now() + keptMs });
    value.catch(() => given.delete(name));
    return value;
  };
  return async (name) => {
    if (!Object.hasOwn(secrets, name)) return undefined;
    const source = secrets[name]!;
    if ("env" in source) return environment[source.env];
    if ("file" in source) return (await readFile(resolve(folder, source.file), "utf8")).replace(/\r?\n$/, "");
    return fromCommand(name, source.command);
  };
}
