import { createHash } from "node:crypto";
import type { Language, OutcomeData } from "@artificer/protocol";

/** Failures remembered; beyond it the oldest are forgotten. */
const maxRemembered = 50;

/** Notices code that is sent again and again, fails each time, and fails alike: whoever sends it learns nothing from the error. */
export class RepeatedFailures {
  readonly #times = new Map<string, { count: number; first: number }>();

  /** @returns a remark from the second time on. */
  note(code: string, outcome: OutcomeData): string | undefined {
    const { status, error, cell } = outcome;
    if (status === "completed" && this.#times.size === 0) return undefined;
    const key = hash(outcome.language, code);
    if (status === "completed" || error === undefined) {
      for (const known of [...this.#times.keys()]) if (known.startsWith(key)) this.#times.delete(known);
      return undefined;
    }
    // Stopped by somebody: no failure of the code's.
    if (status === "interrupted") return undefined;
    const id = `${key} ${hash(error.code, error.type ?? "", error.message)}`;
    const known = this.#times.get(id);
    this.#times.delete(id);
    this.#times.set(id, { count: (known?.count ?? 0) + 1, first: known?.first ?? cell });
    if (this.#times.size > maxRemembered) this.#times.delete(this.#times.keys().next().value!);
    if (known === undefined) return undefined;
    return `This very code has now failed ${known.count + 1} times with this very error, first in cell ${known.first}. Unchanged it will hardly do otherwise: change it, or look at what it works on.`;
  }
}

function hash(...texts: (Language | string)[]): string {
  const sum = createHash("sha256");
  for (const text of texts) sum.update(text.trim()).update("\0");
  return sum.digest("base64");
}
