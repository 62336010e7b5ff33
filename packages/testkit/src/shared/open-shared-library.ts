import type { Storage } from "@artificer/protocol";
import { openSkillLibrary, type SkillLibrary } from "@artificer/runtime";
import { createWordEmbedder } from "./word-embedder.js";

/** A skill library, and what it had to do for itself. */
export interface SharedLibrary {
  library: SkillLibrary;
  /** Texts that this process embedded. */
  embedded: readonly string[];
  /** Sources that this process analysed. */
  analysed: readonly string[];
}

export async function openSharedLibrary(storage: Storage, pauseMs?: number): Promise<SharedLibrary> {
  const embedder = createWordEmbedder(pauseMs);
  const analysed: string[] = [];
  const library = await openSkillLibrary({
    storage,
    embedder,
    async analyze(_, source) {
      analysed.push(source);
      const entry = { parameters: [], returns: undefined, doc: undefined, async: false, line: 1 };
      return { imports: [], tools: [], skills: [], entry };
    },
  });
  return { library, embedded: embedder.embedded, analysed };
}

/** A skill's file as people write it. */
export function skillText(name: string, description: string): string {
  return `# ---\n# name: ${name}\n# description: ${description}\n# ---\ndef run():\n    return 1\n`;
}
