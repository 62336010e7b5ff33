import { type FSWatcher, watch } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../files/is-absent.js";

/** A folder that the system tells of. */
export interface FolderWatch {
  /** False from the moment that something in it changed, or may have: it is not watched any more then. */
  readonly quiet: boolean;
}

/** Folders of which the system tells at once when something in them changes: an entry that comes or goes, or a file that is written to. */
export interface FolderWatches {
  /**
   * What happens in the folder from now on ends the quiet of the watches; of one that is missing, that it is made.
   *
   * @returns undefined where the system can't be relied on.
   */
  begin(folder: string): Promise<FolderWatch[] | undefined>;
  /** Lets what happened before it be told of. */
  settle(): Promise<void>;
  close(): void;
}

/**
 * File systems of Linux whose every change passes through this machine's kernel, which tells of it before the call that made it is over. Not
 * those of networks, of virtual machines and of FUSE, which change elsewhere without a word; nor overlayfs, which forgets who watches a
 * file that it copies up.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
]);

/** Folders watched at once at most: the system has room for some thousands, for all processes of a user. */
const maxWatched = 500;

export function createFolderWatches(platform: NodeJS.Platform = process.platform): FolderWatches {
  const watched = new Map<string, { watcher: FSWatcher; watch: { quiet: boolean } }>();
  let closed = false;

  function end(folder: string): void {
    const found = watched.get(folder);
    watched.delete(folder);
    if (found === undefined) return;
    found.watch.quiet = false;
    found.watcher.close();
  }

  /** @throws what `fs.watch` throws. */
  function watchFolder(folder: string): FolderWatch {
    const known = watched.get(folder);
    if (known !== undefined) return known.watch;
    const watcher = watch(folder, { persistent: false });
    const own = { watcher, watch: { quiet: true } };
    // One change is enough, whatever it is. The folder itself may be another one afterwards, so the next watch begins anew.
    const over = () => {
      if (watched.get(folder) === own) end(folder);
    };
    watcher.on("change", over);
    watcher.on("error", over);
    watched.set(folder, own);
    return own.watch;
  }

  async function begin(folder: string): Promise<FolderWatch[] | undefined> {
    try {
      const isLocal = watched.has(folder) || localTypes.has((await statfs(folder)).type >>> 0);
      const hasRoom = watched.has(folder) || watched.size < maxWatched;
      return isLocal && hasRoom && !closed ? [watchFolder(folder)] : undefined;
    } catch (error) {
      if (errnoOf(error) !== "ENOENT" || dirname(folder) === folder) return undefined;
      const above = await begin(dirname(folder));
      if (above === undefined) return undefined;
      // It may have been made before the folder above was watched.
      const itself = await statfs(folder).then(
        () => begin(folder),
        () => [],
      );
      return itself && [...above, ...itself];
    }
  }

  return {
    begin: async (folder) => (platform === "linux" ? begin(folder) : undefined),
    async settle() {
      // The first one may come before the loop asks the system again; between it and the second one it has.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    },
    close() {
      closed = true;
      for (const folder of [...watched.keys()]) end(folder);
    },
  };
}
