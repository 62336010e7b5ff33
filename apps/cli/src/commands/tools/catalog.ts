import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags, languageFlag } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

interface CatalogFlags extends BaseFlags {
  budget: number;
  language?: "python" | "typescript";
}

export const catalogCommand = buildCommand<CatalogFlags, [], CliContext>({
  docs: {
    brief: "Tell the tools as a model is told them, within a budget",
    fullDescription: `Writes the tools as a text of about so many tokens. Its first line says COMPLETE, and every tool stands there as it is
called; or PARTIAL, how many do, and how cells get at the rest.

  artificer tools catalog --budget 500`,
  },
  parameters: {
    flags: {
      budget: { kind: "parsed", parse: parseTokens, default: "2000", placeholder: "TOKENS", brief: "About how long" },
      language: languageFlag,
      ...baseFlags,
    },
  },
  async func({ budget, language, ...flags }) {
    const catalog = await withSession(this.io, flags, async (session) =>
      session.catalogTools({ budgetTokens: budget, ...(language === undefined ? {} : { language }) }),
    );
    if (flags.json) return writeJson(this.io, { catalog, complete: catalog.startsWith("COMPLETE") });
    this.io.stdout.write(`${catalog}\n`);
  },
});

function parseTokens(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(text)} is no whole number of tokens above 0.`);
}
