import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";

const keyBytes = 32;

/**
 * The key that signs a base's snapshots: 32 random bytes in `.state/snapshot-key`, readable by its owner alone, made when
 * it is missing. No kernel is ever given it.
 *
 * @throws ArtificerError `storage/corrupt` when the file holds something else.
 */
export async function openSnapshotKey(baseFolder: string): Promise<Uint8Array> {
  const state = join(baseFolder, ".state");
  const file = join(state, "snapshot-key");
  const stored = (await read(file)) ?? (await create(state, file));
  if (stored.byteLength === keyBytes) return stored;
  throw new ArtificerError("storage/corrupt", `${file} is no key of ${keyBytes} bytes.`, {
    details: { file },
    hint: "Delete it: variables kept so far can't be restored then, everything else stays.",
  });
}

async function create(state: string, file: string): Promise<Uint8Array> {
  await mkdir(state, { recursive: true });
  const draft = join(state, `snapshot-key.${randomBytes(6).toString("hex")}`);
  const key = randomBytes(keyBytes);
  try {
    await writeFile(draft, key, { flag: "wx", mode: 0o600, flush: true });
    // Whole or not at all, and never over another process's.
    await link(draft, file);
    return key;
  } catch (thrown) {
    const other = (thrown as NodeJS.ErrnoException).code === "EEXIST" ? await read(file) : undefined;
    if (other === undefined) throw thrown;
    return other;
  } finally {
    await rm(draft, { force: true });
  }
}

async function read(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}
