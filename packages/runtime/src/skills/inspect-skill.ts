import {
  ArtificerError,
  type ErrorJson,
  type Language,
  type SourceAnalysis,
  toArtificerError,
} from "@artificer/protocol";
import { type FrontMatter, readFrontMatter } from "./front-matter.js";
import { splitFrontMatter } from "./split-front-matter.js";

/** Reads source by the language's own tooling, running none of it; it throws when that tooling is not to be had. */
export type AnalyzeSource = (language: Language, source: string) => Promise<SourceAnalysis>;

/** What a skill's text says, as far as it can be read. */
export interface Inspection {
  matter: FrontMatter;
  analysis?: SourceAnalysis;
  /** The first thing that is wrong with the text itself. */
  problem?: ArtificerError;
  /** Set when the text could not be analysed for a reason outside it. */
  unavailable?: ErrorJson;
}

const examples: Record<Language, string> = {
  python: 'def run(folder: str) -> int:\n    """Counts the files in a folder."""\n    ...',
  typescript: "export async function run(folder: string): Promise<number> { ... }",
};

/** Inspects a skill's text without ever throwing for what is in it: a listing shows what is wrong instead of failing. */
export async function inspectSkill(language: Language, text: string, analyze: AnalyzeSource): Promise<Inspection> {
  let matter: FrontMatter;
  let program: string;
  try {
    const split = splitFrontMatter(text);
    matter = readFrontMatter(split);
    program = split.program;
  } catch (error) {
    return { matter: {}, problem: toArtificerError(error, "skill/invalid-front-matter") };
  }
  if (matter.language !== undefined && matter.language !== language)
    return { matter, problem: otherLanguage(matter.language, language) };
  try {
    const analysis = await analyze(language, program);
    return { matter, analysis, problem: problemOf(language, analysis) };
  } catch (error) {
    return { matter, unavailable: toArtificerError(error, "internal/fault").toJSON() };
  }
}

function problemOf(language: Language, { syntaxError, entry }: SourceAnalysis): ArtificerError | undefined {
  if (syntaxError !== undefined) {
    const { message, line, column } = syntaxError;
    const other = language === "python" ? "typescript" : "python";
    return new ArtificerError("skill/syntax", `Line ${line} of the source is no ${language}: ${message}`, {
      details: { line, column, language },
      hint: `Mend that line; if the skill is written in ${other}, say language: ${other}.`,
    });
  }
  if (entry !== undefined) return undefined;
  return new ArtificerError("skill/no-run", "The source defines no function run at its top level.", {
    details: { language },
    hint: `A skill is called by that function. For example:\n${examples[language]}`,
  });
}

function otherLanguage(said: Language, language: Language): ArtificerError {
  return new ArtificerError(
    "skill/wrong-language",
    `The front matter says language: ${said}, but the skill is saved as ${language}.`,
    {
      details: { said, language },
      hint: `Remove the field, or save it as ${said}.`,
    },
  );
}
