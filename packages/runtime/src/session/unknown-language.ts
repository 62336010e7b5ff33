import { ArtificerError, type Language, nearestName } from "@artificer/protocol";

/** A language that the session has no kernel for. */
export function unknownLanguage(language: Language, known: Language[]): ArtificerError {
  const nearest = nearestName(String(language), known);
  return new ArtificerError("session/unknown-language", `This session has no kernel for ${JSON.stringify(language)}.`, {
    details: { language, known },
    hint: `${nearest === undefined ? "" : `Did you mean ${nearest}? `}It has: ${known.join(", ")}.`,
  });
}
