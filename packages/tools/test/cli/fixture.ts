import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ArtificerError, type ToolCallContext, type Toolkit } from "@artificer/protocol";
import { onTestFinished } from "vitest";
import { type CliDefinitionInput, createCliToolkit } from "../../src/cli/index.js";

/** A small program of the fixtures folder, as the `command` of a definition. */
export function fixture(name: string): string[] {
  return [process.execPath, fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))];
}

/** A folder that is removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-tools-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder holding the given files. */
export async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** A toolkit of a definition, closed when the test is over. */
export function toolkitOf(definition: CliDefinitionInput, environment?: Record<string, string>): Toolkit {
  const kit = createCliToolkit(definition, { source: "/definitions/test.yaml", cwd: tmpdir(), environment });
  onTestFinished(() => kit.close?.());
  return kit;
}

export function contextOf(signal: AbortSignal = new AbortController().signal): ToolCallContext {
  return { signal, session: "s", cell: 1 };
}

/** The error that a call ends with. */
export async function refusalOf(promise: Promise<unknown>): Promise<ArtificerError> {
  const thrown = await promise.then(
    (value) => new Error(`expected an error, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!ArtificerError.is(thrown)) throw thrown;
  return thrown;
}

/** What args.mjs tells about itself. */
export interface Seen {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stdin: string;
}
