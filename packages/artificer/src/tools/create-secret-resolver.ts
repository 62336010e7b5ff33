import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { ArtificerError } from "@artificer/protocol";
import { nameGlob } from "@artificer/runtime";
import type { SecretSource } from "../config/secret-source.js";

const run = promisify(execFile);
const commandTimeoutMs = 30_000;
/** A command may ask a person: what it gave is kept for a while. */
const keptMs = 300_000;

/** Where a secret is about to go. */
export interface SecretDestination {
  toolkit: string;
  /** As in an address, with the port when it is no usual one. */
  host?: string;
}

/** Gives a secret by its name; undefined when there is none. */
export type SecretResolver = (name: string, destination: SecretDestination) => Promise<string | undefined>;

/** Gives secrets out of a keychain or a vault; undefined when it has none of that name. */
export type SecretProvider = (name: string) => string | undefined | Promise<string | undefined>;

export interface SecretResolverOptions {
  /** What files are relative to, and where commands run. */
  folder: string;
  environment?: Readonly<Record<string, string | undefined>>;
  providers?: Readonly<Record<string, SecretProvider>>;
  /** Told of every secret that is given, so that it can be redacted. */
  onResolved?: (name: string, value: string) => void;
}

/**
 * Gives the secrets that config.yaml names, from where they are kept, and no others; each only to what it is bound to.
 *
 * The resolver throws ArtificerError `secret/wrong-destination`.
 */
export function createSecretResolver(
  secrets: Readonly<Record<string, SecretSource>>,
  { folder, environment = process.env, providers = {}, onResolved }: SecretResolverOptions,
): SecretResolver {
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
  const read = async (name: string, source: SecretSource): Promise<string | undefined> => {
    if ("env" in source) return environment[source.env];
    if ("file" in source) return (await readFile(resolve(folder, source.file), "utf8")).replace(/\r?\n$/, "");
    if ("command" in source) return fromCommand(name, source.command);
    return Object.hasOwn(providers, source.provider) ? providers[source.provider]!(source.name ?? name) : undefined;
  };
  return async (name, destination) => {
    if (!Object.hasOwn(secrets, name)) return undefined;
    const source = secrets[name]!;
    if (source.for !== undefined && !reaches(source.for, destination))
      throw wrongDestination(name, source.for, destination);
    const value = await read(name, source);
    if (value !== undefined && value !== "") onResolved?.(name, value);
    return value;
  };
}

/** A toolkit's own name covers what the toolkit reaches. A host is compared whole: `api.example.org.evil.org` is none of `api.example.org`. */
function reaches(bound: readonly string[], { toolkit, host }: SecretDestination): boolean {
  return bound.some(
    (each) => each === toolkit || (host !== undefined && nameGlob(each, { loose: true }).matches(host)),
  );
}

function wrongDestination(
  name: string,
  bound: readonly string[],
  { toolkit, host }: SecretDestination,
): ArtificerError {
  const where = host === undefined ? `the toolkit ${toolkit}` : `${host} (the toolkit ${toolkit})`;
  return new ArtificerError("secret/wrong-destination", `The secret ${name} must not go to ${where}.`, {
    details: { secret: name, toolkit, host, for: [...bound] },
    hint: `It is bound to ${bound.join(", ")}: see \`secrets.${name}.for\` in config.yaml.`,
  });
}
