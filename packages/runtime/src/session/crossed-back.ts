import { ArtificerError, type Language } from "@artificer/protocol";

/** A skill of another language calls back into the kernel that waits for it. */
export function crossedBack(from: Language, language: Language, name: string): ArtificerError {
  return new ArtificerError(
    "session/busy",
    `The skill ${name} needs the ${language} kernel, which waits for the ${from} skill that calls it.`,
    {
      details: { skill: name, language, from },
      hint: `Call ${name} from the ${language} side and pass its result on, or write it in ${from}.`,
    },
  );
}
