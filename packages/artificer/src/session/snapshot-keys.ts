import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { createSecretResolver, type SecretProvider } from "../tools/create-secret-resolver.js";
import type { Base } from "./open-base.js";
import { openSnapshotKey } from "./open-snapshot-key.js";

const minKeyBytes = 32;

type KeyBase = Pick<Base, "folder" | "config">;

export interface SnapshotKeyOptions {
  /** Keys of the program that opens the base; they win over the configuration's. */
  snapshotKey?: Uint8Array | readonly Uint8Array[] | undefined;
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
  secretProviders?: Readonly<Record<string, SecretProvider>> | undefined;
  /** Told of each key that is a text, so that it is redacted. */
  onSecret(name: string, value: string): void;
}

/** The keys of a base's snapshots. */
export interface SnapshotKeys {
  /** Whether they were given, and so may be those of other bases too. */
  shared: boolean;
  /** The first signs. Asked for only when variables are kept: a base's own key is made when it is missing. */
  keys(): Promise<readonly Uint8Array[]>;
  /** Those that are texts: no cell may have them. */
  texts: readonly string[];
}

/**
 * The keys that sign a base's snapshots: given ones, so that bases on several machines can read each other's, else one of its own. Beside
 * given ones the base's own is accepted too: what it signed before they were given stays readable.
 *
 * @throws ArtificerError `config/invalid` for a key that is not set, is too short, or is passed to cells.
 */
export async function snapshotKeysOf(base: KeyBase, options: SnapshotKeyOptions): Promise<SnapshotKeys> {
  const texts = options.snapshotKey === undefined ? await configuredKeys(base, options) : [];
  const given =
    options.snapshotKey === undefined ? texts.map((text) => Buffer.from(text)) : listed(options.snapshotKey);
  if (given.length === 0) return { shared: false, keys: async () => [await openSnapshotKey(base.folder)], texts };
  const own = async () => readFile(join(base.folder, ".state", "snapshot-key")).catch(() => undefined);
  return {
    shared: true,
    async keys() {
      const before = await own();
      return before?.byteLength === minKeyBytes ? [...given, before] : given;
    },
    texts,
  };
}

async function configuredKeys(base: KeyBase, options: SnapshotKeyOptions): Promise<string[]> {
  const { config, folder } = base;
  const { hostEnv = process.env, secretProviders: providers = {}, onSecret } = options;
  const secret = createSecretResolver(config.secrets, {
    folder,
    environment: hostEnv,
    providers,
    onResolved: onSecret,
  });
  const texts: string[] = [];
  for (const reference of config.snapshots.key ?? []) {
    const name = reference.slice(2, -1);
    const text = (await secret(name, { toolkit: "snapshots" })) ?? hostEnv[name] ?? "";
    if (text === "")
      throw invalid(`snapshots.key refers to ${reference}, which is not set.`, [
        `Set the variable ${name} in the environment, or name ${name} under secrets: in config.yaml.`,
        "All machines that share a storage need the same key.",
      ]);
    const bytes = Buffer.byteLength(text);
    if (bytes < minKeyBytes)
      throw invalid(`snapshots.key: ${reference} has ${bytes} bytes; a key has at least ${minKeyBytes}.`, [
        "Make one with `openssl rand -base64 48`, and give the same to all machines that share the storage.",
      ]);
    onSecret(name, text);
    texts.push(text);
  }
  refusePassed(base, texts, hostEnv);
  return texts;
}

/** What a cell could sign, it could have loaded anywhere. */
function refusePassed(
  { config }: KeyBase,
  texts: readonly string[],
  hostEnv: Readonly<Record<string, string | undefined>>,
): void {
  const passed = {
    "terminal.env_passthrough": config.terminal.env_passthrough,
    "toolkits.workspace.pass_env": config.toolkits.workspace?.pass_env ?? [],
  };
  for (const [field, names] of Object.entries(passed))
    for (const name of names)
      if (texts.includes(hostEnv[name] ?? ""))
        throw invalid(`${field} passes ${name} to cells, which holds a key of snapshots.`, [
          `Take ${name} out of ${field}.`,
        ]);
}

function listed(keys: Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  return keys instanceof Uint8Array ? [keys] : keys;
}

function invalid(message: string, hints: readonly string[]): ArtificerError {
  return new ArtificerError("config/invalid", message, { hint: hints.join(" ") });
}
