import { ArtificerError, type Toolkit, toArtificerError } from "@artificer/protocol";
import { type CliToolkitOptions, cliToolkit } from "./create-cli-toolkit.js";
import { readDefinition } from "./read-definition.js";
import { readToolFiles, type ToolProblem } from "./read-tool-files.js";

export type LoadCliToolkitsOptions = Omit<CliToolkitOptions, "source">;

/**
 * Makes a toolkit of every `*.yaml` and `*.yml` in a folder, in the order of their names. Whatever is wrong with one of them, or
 * with the folder, is told in `problems`.
 */
export async function loadCliToolkits(
  folder: string,
  options: LoadCliToolkitsOptions = {},
): Promise<{ toolkits: Toolkit[]; problems: ToolProblem[] }> {
  const { files, problems } = await readToolFiles(folder);
  const toolkits: Toolkit[] = [];
  const sources = new Map<string, string>();
  for (const { source, text } of files) {
    try {
      const toolkit = readCliToolkit(text, { ...options, source });
      const other = sources.get(toolkit.name);
      if (other !== undefined) throw duplicateToolkit(toolkit.name, source, other);
      sources.set(toolkit.name, source);
      toolkits.push(toolkit);
    } catch (error) {
      problems.push({ source, error: toArtificerError(error, "tool/definition-invalid") });
    }
  }
  return { toolkits, problems };
}

/**
 * Makes a toolkit of one definition's YAML text.
 *
 * @throws ArtificerError `tool/definition-invalid`
 */
export function readCliToolkit(text: string, options: CliToolkitOptions): Toolkit {
  return cliToolkit(readDefinition(text, options.source), options);
}

/** What a second toolkit of the same name is answered with. */
export function duplicateToolkit(name: string, source: string, other: string): ArtificerError {
  return new ArtificerError(
    "tool/duplicate",
    `${source}: the toolkit ${JSON.stringify(name)} is already defined in ${other}.`,
    {
      details: { file: source, name, other },
      hint: "Give one of them another `name`.",
    },
  );
}
