import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError, toArtificerError } from "@artificer/protocol";

/** A definition that can't be used; the others are not held up by it. */
export interface ToolProblem {
  /** The file. */
  source: string;
  error: ArtificerError;
}

/** A definition as it stands in its file. */
export interface ToolFile {
  source: string;
  text: string;
}

const maxDefinitionBytes = 1_048_576;

/** Reads every `*.yaml` and `*.yml` of a folder, in the order of their names. What can't be read is told in `problems`. */
export async function readToolFiles(folder: string): Promise<{ files: ToolFile[]; problems: ToolProblem[] }> {
  const files: ToolFile[] = [];
  const problems: ToolProblem[] = [];
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    return { files, problems: [{ source: folder, error: unreadable(folder, error) }] };
  }
  for (const name of names.filter((each) => /^[^.].*\.ya?ml$/i.test(each)).sort()) {
    const source = join(folder, name);
    try {
      files.push({ source, text: await readText(source) });
    } catch (error) {
      problems.push({ source, error: toArtificerError(error, "tool/definition-invalid") });
    }
  }
  return { files, problems };
}

async function readText(source: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(source);
    if (size > maxDefinitionBytes) throw new Error(`it is larger than ${maxDefinitionBytes} bytes`);
    bytes = await readFile(source);
  } catch (error) {
    throw unreadable(source, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ArtificerError("tool/definition-invalid", `${source}: is not text in UTF-8.`, {
      details: { file: source },
      hint: "Save the file as UTF-8.",
      cause: error,
    });
  }
}

function unreadable(source: string, error: unknown): ArtificerError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ArtificerError("config/unreadable", `${source} can't be read: ${reason}.`, {
    details: { file: source, reason },
    hint: "Check that it exists and that its permissions let it be read.",
    cause: error,
  });
}
