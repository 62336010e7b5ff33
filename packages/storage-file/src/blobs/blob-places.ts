import type { BigIntStats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { isAbsent } from "../files/is-absent.js";
import { plainNaming } from "../names/plain-naming.js";

export interface FoundFile {
  path: string;
  stat: BigIntStats;
}

/** Which file a blob is in, or would go to. */
export interface BlobPlaces {
  /** @throws ArtificerError `storage/invalid-key` when a symbolic link is in the way. */
  find(key: string): Promise<FoundFile | undefined>;
  /** Where a blob that isn't there yet belongs: the plain name unless something else has it. */
  place(key: string): Promise<string>;
}

export function createBlobPlaces(folder: string, caseSensitive: boolean): BlobPlaces {
  const candidates = (key: string) => {
    const segments = key.split("/");
    return segments.map((segment, index) => plainNaming.write(segment, index < segments.length - 1));
  };

  /** What is at a path, if it bears exactly this name. */
  const look = async (path: string): Promise<BigIntStats | "taken" | undefined> => {
    try {
      if (!caseSensitive) {
        const name = basename(path).normalize("NFC");
        const names = (await readdir(dirname(path))).map((found) => found.normalize("NFC"));
        if (!names.includes(name)) return names.some((found) => sameFolded(found, name)) ? "taken" : undefined;
      }
      const stat = await lstat(path, { bigint: true });
      if (stat.isSymbolicLink()) throw linkInTheWay(path);
      return stat;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };

  const search = async (from: string, steps: string[][][]): Promise<FoundFile | undefined> => {
    const [step, ...rest] = steps;
    for (const names of step ?? []) {
      const path = join(from, ...names);
      const found = await look(path);
      if (found === undefined || found === "taken") continue;
      if (rest.length === 0 && found.isFile()) return { path, stat: found };
      const deeper = rest.length > 0 && found.isDirectory() ? await search(path, rest) : undefined;
      if (deeper !== undefined) return deeper;
    }
    return undefined;
  };

  const checkInside = async (path: string): Promise<void> => {
    const above = dirname(path);
    const real = await realpath(above);
    if (real.normalize("NFC") !== above.normalize("NFC")) throw linkInTheWay(above);
  };

  return {
    async find(key) {
      const steps = candidates(key);
      const plain = join(folder, ...steps.flatMap(([names]) => names ?? []));
      const direct = caseSensitive ? await look(plain) : undefined;
      const found =
        typeof direct === "object" && direct.isFile() ? { path: plain, stat: direct } : await search(folder, steps);
      if (found !== undefined) await checkInside(found.path);
      return found;
    },

    async place(key) {
      const steps = candidates(key);
      let path = folder;
      for (const [index, step] of steps.entries()) {
        const isFolder = index < steps.length - 1;
        const looks = await Promise.all(
          step.map(async (names) => ({ at: join(path, ...names), found: await look(join(path, ...names)) })),
        );
        const fits = looks.find(({ found }) => typeof found === "object" && isFolder && found.isDirectory());
        const free = fits ?? looks.find(({ found }) => found === undefined);
        if (free === undefined)
          throw nowhere(
            key,
            looks.map(({ at }) => at),
          );
        path = free.at;
      }
      return path;
    },
  };
}

/** A little too much counts as the same here, which only costs a plain name. */
function sameFolded(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || a.toUpperCase() === b.toUpperCase();
}

function linkInTheWay(path: string): ArtificerError {
  return new ArtificerError("storage/invalid-key", `${path} is a symbolic link, which storage does not follow.`, {
    details: { path },
    hint: "Put the file or folder itself in its place, or choose another key.",
  });
}

function nowhere(key: string, paths: string[]): ArtificerError {
  return new ArtificerError(
    "storage/conflict",
    `There is no place for ${key}: ${paths.join(" and ")} are something else.`,
    {
      details: { key, paths },
      hint: "Move one of them away.",
    },
  );
}
