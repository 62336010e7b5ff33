import { ArtificerError, type KernelProgram, type Usability } from "@artificer/protocol";

/** Whether each program's interpreter is found on this machine. */
export async function probeInterpreters(
  programs: readonly KernelProgram[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Usability> {
  const facts: Record<string, string> = {};
  for (const program of programs) {
    try {
      const interpreter = await program.findInterpreter({ signal });
      facts[program.language] = `${interpreter.version} at ${interpreter.path}`;
    } catch (error) {
      if (!ArtificerError.is(error)) throw error;
      return { usable: false, reason: error.message, hint: error.hint, facts };
    }
  }
  return { usable: true, facts };
}
