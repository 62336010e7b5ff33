import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError, type Display } from "@artificer/protocol";
import { reasonOf } from "../read-input.js";
import { formatBytes } from "./format-bytes.js";

/** Keeps displays as files. */
export interface DisplaySaver {
  /** @returns the files written. @throws ArtificerError `storage/unavailable` */
  save(display: Display): Promise<string[]>;
}

const extensions: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "text/html": "html",
};

/** Saves images and pages into `folder` as `display-001.png`, …; never over a file that is there. */
export function createDisplaySaver(folder: string): DisplaySaver {
  let next = 1;
  return {
    async save(display) {
      const files: string[] = [];
      for (const [mime, data] of Object.entries(display.data)) {
        const extension = extensions[mime];
        if (extension === undefined) continue;
        files.push(await write(extension, bytesOf(mime, data)));
      }
      return files;
    },
  };

  async function write(extension: string, bytes: Uint8Array): Promise<string> {
    for (;;) {
      const file = join(folder, `display-${String(next++).padStart(3, "0")}.${extension}`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(file, bytes, { flag: "wx" });
        return file;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST" && next < 100_000) continue;
        throw new ArtificerError("storage/unavailable", `Can't write ${file}: ${reasonOf(error)}.`, {
          hint: "Give --display-dir a folder that can be written to.",
          cause: error,
        });
      }
    }
  }
}

/** A display in a line: `[image/png 12 kB]`; plain text is shown as it is. */
export function describeDisplay(display: Display): string {
  const entries = Object.entries(display.data);
  const rich = entries.find(([mime]) => !mime.startsWith("text/plain")) ?? entries[0];
  if (rich === undefined) return "[empty display]";
  const [mime, data] = rich;
  if (mime === "text/plain" || (mime === "text/markdown" && typeof data === "string")) return String(data);
  return `[${mime} ${formatBytes(bytesOf(mime, data).byteLength)}]`;
}

/** Pictures may come as base64 text; SVG and HTML are text themselves. */
function bytesOf(mime: string, data: string | Uint8Array): Uint8Array {
  if (typeof data !== "string") return data;
  return Buffer.from(data, mime.startsWith("image/") && mime !== "image/svg+xml" ? "base64" : "utf8");
}
