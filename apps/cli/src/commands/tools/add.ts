import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import { baseFolder } from "../../base-folder.js";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { readInput, reasonOf } from "../../read-input.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";

interface AddFlags extends BaseFlags {
  name?: string;
  print?: boolean;
  "help-from"?: string;
  only?: readonly string[];
}

export const addCommand = buildCommand<AddFlags, string[], CliContext>({
  docs: {
    brief: "Draft the definition of a command-line program from its help",
    fullDescription: `Runs the program with --help, and each of its subcommands so, and writes what it says as tools/PROGRAM.yaml, to be
gone over. What is there is never overwritten. Words that always stand behind the program go along; flags
among them behind --.

  artificer tools add grep
  artificer tools add git --only log --only show --only diff
  artificer tools add --name json -- python3 -m json.tool
  man -P cat rsync | artificer tools add rsync --help-from - --print`,
  },
  parameters: {
    flags: {
      name: { kind: "parsed", parse: String, optional: true, placeholder: "NAME", brief: "Name of the toolkit" },
      only: {
        kind: "parsed",
        parse: String,
        optional: true,
        variadic: true,
        placeholder: "COMMAND",
        brief: "A subcommand to take; all unless given",
      },
      "help-from": {
        kind: "parsed",
        parse: String,
        optional: true,
        placeholder: "FILE",
        brief: "Read help from a file, or - for standard input; the program is not run",
      },
      print: { kind: "boolean", optional: true, withNegated: false, brief: "Write the draft to standard output" },
      ...baseFlags,
    },
    positional: {
      kind: "array",
      parameter: { brief: "The program, and words behind it", parse: String, placeholder: "PROGRAM" },
      minimum: 1,
    },
  },
  async func({ name, print, only, "help-from": helpFrom, ...flags }, ...command) {
    const { draftCliTool } = await import("artificer/tools");
    const draft = await draftCliTool(command, {
      environment: this.io.env,
      folder: this.io.cwd,
      signal: this.io.signal,
      ...(name === undefined ? {} : { name }),
      ...(only === undefined ? {} : { only }),
      ...(helpFrom === undefined ? {} : { helpText: await readInput(this.io, helpFrom) }),
    });
    const file = print ? undefined : join(baseFolder(this.io, flags.base), "tools", `${draft.name}.yaml`);
    if (file !== undefined) await writeNew(file, draft.text);
    if (flags.json)
      return writeJson(this.io, { name: draft.name, file: file ?? null, text: draft.text, notes: draft.notes });
    for (const note of draft.notes) this.io.stderr.write(`note: ${note}\n`);
    if (file === undefined) this.io.stdout.write(draft.text);
    else this.io.stdout.write(`Drafted ${file}. Go over it: effect classes, and what cells should not have.\n`);
  },
});

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new ArtificerError("tool/duplicate", `${file} is there already.`, {
        details: { file },
        hint: "Edit it, take another --name, or look at the draft with --print.",
        cause: error,
      });
    throw new ArtificerError("session/base-not-writable", `Can't write ${file}: ${reasonOf(error)}.`, {
      details: { file },
      hint: "Name a base folder that this user can write to with --base.",
      cause: error,
    });
  }
}
