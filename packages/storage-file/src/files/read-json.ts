import { readFile } from "node:fs/promises";
import { ArtificerError, type JsonObject } from "@artificer/protocol";
import { isAbsent } from "./is-absent.js";

/**
 * A JSON object that we wrote; undefined when there is no such file.
 *
 * @throws ArtificerError `storage/corrupt` naming the file.
 */
export async function readJson(path: string, mend: string): Promise<JsonObject | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  } catch (cause) {
    throw corrupt(path, mend, cause instanceof Error ? cause.message : String(cause), cause);
  }
  throw corrupt(path, mend, "it holds no object");
}

export function corrupt(path: string, mend: string, problem: string, cause?: unknown): ArtificerError {
  return new ArtificerError("storage/corrupt", `The file ${path} can't be used: ${problem}.`, {
    details: { path, problem },
    hint: mend,
    cause,
  });
}
