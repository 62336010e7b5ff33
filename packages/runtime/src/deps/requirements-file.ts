import { ArtificerError, type Storage } from "@artificer/protocol";

const key = "requirements.txt";

/** The lines of `requirements.txt`, as people edit them. */
export async function readRequirements(storage: Storage): Promise<string[]> {
  return (await readLines(storage)).lines;
}

/**
 * Changes the lines, again from the start when somebody else changed them meanwhile.
 *
 * @param change gives the new lines, or undefined to leave all as it is.
 * @returns whether anything was changed.
 */
export async function editRequirements(
  storage: Storage,
  change: (lines: string[]) => string[] | undefined,
): Promise<boolean> {
  for (;;) {
    const { lines, revision } = await readLines(storage);
    const changed = change(lines);
    if (changed === undefined) return false;
    try {
      await storage.blobs.write(key, Buffer.from(changed.map((line) => `${line}\n`).join("")), {
        ifRevision: revision,
      });
      return true;
    } catch (thrown) {
      if (!ArtificerError.is(thrown, "storage/conflict")) throw thrown;
    }
  }
}

async function readLines(storage: Storage): Promise<{ lines: string[]; revision: string | null }> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return { lines: [], revision: null };
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { lines: text === "" ? [] : text.replace(/\n$/, "").split("\n"), revision: blob.info.revision };
}
