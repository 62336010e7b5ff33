import { Document } from "yaml";
import type { CliDefinitionInput } from "../definition.js";

/** The draft as a file, with what its author should look at on top. */
export function renderDraft(
  definition: CliDefinitionInput,
  { command, notes }: { command: readonly string[]; notes: readonly string[] },
): string {
  const document = new Document(definition);
  const lines = [
    `Drafted from the help of \`${command.join(" ")}\`: go over it before you rely on it.`,
    "- effect: what calls do to the world, for each recipe where they differ: read, write, destructive or egress.",
    "- Remove options and recipes that cells should not have; fix values with `preset`.",
    "- Types are guesses where the help only names a value. Every key: docs/command-line-tools.md",
    ...notes.map((note) => `- ${note}`),
  ];
  // A line end in a note would end the comment.
  document.commentBefore = lines.map((line) => ` ${line.replace(/\s+/g, " ")}`).join("\n");
  return document.toString({ lineWidth: 150 });
}
