import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError, type Toolkit, toArtificerError } from "@artificer/protocol";
import { type CliToolkitOptions, cliToolkit } from "./create-cli-toolkit.js";
import { readDefinition } from "./read-definition.js";

/** A definition that can't be used; the others are not held up by it. */
export interface ToolProblem {
  /** The file. */
  source: string;
  error: ArtificerError;
}

export type LoadCliToolkitsOptions = Omit<CliToolkitOptions, "source">;

const maxDefinitionBytes = 1_048_576;

/**
 * Makes a toolkit of every `*.yaml` and `*.yml` in a folder, in the order of their names. Whatever is wrong with one of them, or
 * with the folder, is told in `problems`.
 */
export async function loadCliToolkits(
  folder: string,
  options: LoadCliToolkitsOptions = {},
): Promise<{ toolkits: Toolkit[]; problems: ToolProblem[] }> {
  const toolkits: Toolkit[] = [];
  const problems: ToolProblem[] = [];
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    return { toolkits, problems: [{ source: folder, error: unreadable(folder, error) }] };
  }
  const sources = new Map<string, string>();
  for (const name of names.filter((each) => /^[^.].*\.ya?ml$/i.test(each)).sort()) {
    const source = join(folder, name);
    try {
      const definition = readDefinition(await readText(source), source);
      const other = sources.get(definition.name);
      if (other !== undefined) throw duplicate(definition.name, source, other);
      sources.set(definition.name, source);
      toolkits.push(cliToolkit(definition, { ...options, source }));
    } catch (error) {
      problems.push({ source, error: toArtificerError(error, "tool/definition-invalid") });
    }
  }
  return { toolkits, problems };
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

function duplicate(name: string, source: string, other: string): ArtificerError {
  return new ArtificerError(
    "tool/duplicate",
    `${source}: the toolkit ${JSON.stringify(name)} is already defined in ${other}.`,
    {
      details: { file: source, name, other },
      hint: "Give one of them another `name`.",
    },
  );
}
