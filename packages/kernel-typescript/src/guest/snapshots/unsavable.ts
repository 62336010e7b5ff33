/** Why a variable can't be saved or restored, in words that can follow its name and a colon. */
export class Unsavable extends Error {
  /** The save as a whole was withdrawn by the host. */
  readonly withdrawn: boolean;

  constructor(reason: string, withdrawn = false) {
    super(reason);
    this.withdrawn = withdrawn;
  }
}

/** The reason in the words of whatever was thrown. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Unsavable) return thrown.message;
  try {
    const { name, message } = thrown as Error;
    return `${String(name)}: ${String(message).split("\n")[0]!.slice(0, 300)}`;
  } catch {
    return "what was thrown can't be read";
  }
}
