import { errorCodes } from "@artificer/protocol";

/** The page that `renderErrorCodesPage` writes. */
export const errorCodesPage = "docs/errors.md";

const exitMeanings: Readonly<Record<number, string>> = {
  1: "the user's code failed",
  2: "bad usage or input",
  3: "not found",
  4: "conflict",
  5: "refused by policy or a limit",
  6: "timed out or interrupted",
  7: "the environment lacks something",
  8: "storage",
  9: "a kernel died",
  70: "a fault of Artificer",
};

/** `docs/errors.md`, made from the table of codes. */
export function renderErrorCodesPage(): string {
  const areas = new Map<string, string[]>();
  for (const [code, { exit, http }] of Object.entries(errorCodes)) {
    const area = code.split("/", 1)[0] ?? code;
    const meaning = exitMeanings[exit];
    if (meaning === undefined) throw new Error(`${code}: exit code ${exit} has no meaning in error-codes-page.ts`);
    areas.set(area, [...(areas.get(area) ?? []), `| \`${code}\` | ${exit} | ${http} | ${meaning} |`]);
  }
  const sections = [...areas].map(
    ([area, rows]) => `## ${area}\n\n| code | exit | HTTP | kind |\n|---|---|---|---|\n${rows.join("\n")}\n`,
  );
  return `# Error codes

<!-- Made from packages/protocol/src/errors/error-codes.ts by \`pnpm regenerate\`; change that file instead. -->

Every error of Artificer is an \`ArtificerError\` with a \`code\` of this list, a \`message\` and, where there is one, a \`hint\` that says how to mend it.
Codes are stable: programs may match on them. The second and third column say what a code becomes as the exit code of the command and as an HTTP status.

${sections.join("\n")}`;
}
