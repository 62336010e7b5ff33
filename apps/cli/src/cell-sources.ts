import { parseArgs } from "node:util";
import { ArtificerError, type Language } from "@artificer/protocol";
import type { CliIo } from "./context.js";
import { readInput } from "./read-input.js";

/** One cell to run. */
export interface CellSource {
  /** What it is called in messages: a file's name, `-`, or `-c`. */
  name: string;
  code: string;
  language: Language;
}

/**
 * The cells of a `run` command line, in the order given, files and `-c` mixed. All are read before the first one runs.
 *
 * @throws ArtificerError `usage/invalid-argument`
 */
export async function cellSources(io: CliIo, argv: readonly string[], language?: Language): Promise<CellSource[]> {
  const { tokens } = parseArgs({
    // The first argument is the command's own name.
    args: argv.slice(1),
    options: {
      code: { type: "string", short: "c", multiple: true },
      language: { type: "string", short: "l" },
      executor: { type: "string" },
      base: { type: "string" },
      storage: { type: "string" },
      redis: { type: "string" },
      postgres: { type: "string" },
      timeout: { type: "string", short: "t" },
      "dry-run": { type: "string" },
      dryRun: { type: "string" },
      "display-dir": { type: "string" },
      displayDir: { type: "string" },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const sources: CellSource[] = [];
  for (const token of tokens) {
    if (token.kind === "option" && token.name === "code") {
      const inline = token.rawName === "-c" && token.inlineValue === true;
      const code = inline ? (token.value ?? "").replace(/^=/, "") : (token.value ?? "");
      sources.push({ name: "-c", code, language: language ?? "python" });
    } else if (token.kind === "positional") {
      if (token.value === "-" && sources.some(({ name }) => name === "-")) {
        throw new ArtificerError("usage/invalid-argument", "Standard input (-) can be read once only.");
      }
      sources.push({
        name: token.value,
        code: await readInput(io, token.value),
        language: language ?? languageOf(token.value),
      });
    }
  }
  if (sources.length > 0) return sources;
  throw new ArtificerError("usage/invalid-argument", "There is nothing to run.", {
    hint: "Name a file, - for standard input, or code after -c: artificer run -c '1+1'",
  });
}

/** The language that a file's name tells; Python when it tells none. */
export function languageOf(file: string): Language {
  return /\.[cm]?[jt]sx?$/i.test(file) ? "typescript" : "python";
}
