import { ArtificerError } from "@artificer/protocol";
import { ArgumentParseError, ArgumentScannerError, formatMessageForArgumentScannerError } from "@stricli/core";

/** What the argument scanner refused, as an error of ours: what was wrong, and what was meant, most likely. */
export function usageError(thrown: unknown): ArtificerError {
  if (ArtificerError.is(thrown)) return thrown;
  if (!(thrown instanceof ArgumentScannerError)) {
    return new ArtificerError("internal/fault", thrown instanceof Error ? thrown.message : String(thrown), {
      cause: thrown,
    });
  }
  let hint = "Add --help to see what the command takes, with examples.";
  const message = formatMessageForArgumentScannerError(thrown, {
    FlagNotFoundError: ({ input, corrections }) => {
      if (corrections.length > 0) hint = `Did you mean ${corrections.map((name) => `--${name}`).join(" or ")}?`;
      return `There is no flag --${input}.`;
    },
    AliasNotFoundError: ({ input }) => {
      hint = "Add --help to see the flags; put -- before an argument that begins with a dash.";
      return `There is no flag -${input}.`;
    },
    ArgumentParseError: (error) => parseFailure(error),
    EnumValidationError: ({ externalFlagName, input, values }) => {
      hint = `Allowed: ${values.join(", ")}.`;
      return `--${externalFlagName} can't be ${JSON.stringify(input)}.`;
    },
    UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} needs a value.`,
    UnexpectedFlagError: ({ externalFlagName, input }) =>
      `--${externalFlagName} can be given once only; ${JSON.stringify(input)} is one too many.`,
    UnexpectedPositionalError: ({ expectedCount, input }) =>
      `${JSON.stringify(input)} is one argument too many: this command takes ${expectedCount || "none"}.`,
    UnsatisfiedPositionalError: ({ placeholder }) => `The argument ${placeholder.toUpperCase()} is missing.`,
  });
  if (thrown instanceof ArgumentParseError && ArtificerError.is(thrown.exception)) {
    hint = thrown.exception.hint ?? hint;
  }
  return new ArtificerError("usage/invalid-argument", message, { hint });
}

/** A command that isn't one. `corrections` come quoted in backticks. */
export function unknownCommand(input: string, corrections: readonly string[]): ArtificerError {
  return new ArtificerError("usage/unknown-command", `There is no command ${JSON.stringify(input)}.`, {
    details: { command: input },
    hint:
      corrections.length > 0 ? `Did you mean ${corrections.join(" or ")}?` : "Run `artificer --help` to see them all.",
  });
}

function parseFailure({ externalFlagNameOrPlaceholder: name, exception }: ArgumentParseError): string {
  // Placeholders are written in capitals, flags never.
  const shown = /^[a-z]/.test(name) ? `--${name}` : name;
  return `${shown}: ${exception instanceof Error ? exception.message : String(exception)}`;
}
