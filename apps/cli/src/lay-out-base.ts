import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { reasonOf } from "./read-input.js";

/**
 * Puts the starter tools into a base folder; never over one that is there.
 *
 * @throws ArtificerError `session/base-not-writable`
 */
export async function layOutBase(base: string): Promise<{ made: string[]; kept: string[] }> {
  const made: string[] = [];
  const kept: string[] = [];
  const { starterDefinitions } = await import("artificer");
  for (const [definition, content] of Object.entries(await starterDefinitions())) {
    const name = `tools/${definition}`;
    const file = join(base, name);
    await mkdir(dirname(file), { recursive: true }).catch((error: unknown) => {
      throw notWritable(base, error);
    });
    try {
      await writeFile(file, content, { flag: "wx" });
      made.push(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritable(base, error);
      kept.push(name);
    }
  }
  return { made, kept };
}

function notWritable(base: string, error: unknown): ArtificerError {
  return new ArtificerError("session/base-not-writable", `Can't lay out ${base}: ${reasonOf(error)}.`, {
    details: { base },
    hint: "Name a folder that this user can write to: artificer init --base DIR",
    cause: error,
  });
}
