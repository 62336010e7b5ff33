import { ArtificerError, nearestName } from "@artificer/protocol";

/** The error for a language that the session has no kernel program for; `known` are those it has. */
export function unknownLanguage(language: unknown, known: readonly string[]): ArtificerError {
  const nearest = nearestName(String(language), [...known]);
  return new ArtificerError("session/unknown-language", `This session has no kernel for ${JSON.stringify(language)}.`, {
    details: { language: String(language), known: [...known] },
    hint: `${nearest === undefined ? "" : `Did you mean ${nearest}? `}It has: ${known.join(", ")}.`,
  });
}
