import { extname } from "node:path";
import { ArtificerError, type Value } from "@artificer/protocol";

/** What a file's bytes are kept as. */
export type ArtifactForm = "text" | "json" | "bytes";

const contentTypes: Record<string, string> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webp": "image/webp",
};

/** The media type that a file's name tells, when it tells one. */
export function contentTypeOf(file: string): string | undefined {
  return contentTypes[extname(file).toLowerCase()];
}

/**
 * A file's bytes as the value to keep. Without `form`: JSON when the name ends in `.json`, else text when it is UTF-8, else bytes.
 *
 * @throws ArtificerError `usage/invalid-argument` when the bytes are not of that form.
 */
export function artifactValue(file: string, bytes: Uint8Array, form?: ArtifactForm): Value {
  if (form === "bytes") return bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    if (form === undefined && extname(file).toLowerCase() !== ".json") return bytes;
    throw new ArtificerError("usage/invalid-argument", `${file} is no UTF-8 text.`, {
      hint: "Keep it with --as bytes.",
    });
  }
  if (form !== "json" && (form === "text" || extname(file).toLowerCase() !== ".json")) return text;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as Value;
  } catch (error) {
    throw new ArtificerError("usage/invalid-argument", `${file} is no JSON: ${(error as Error).message}.`, {
      hint: "Mend it, or keep it as it is with --as text.",
    });
  }
}
