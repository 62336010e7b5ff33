import type { Evaluator } from "../evaluator.js";
import { registerScript } from "../stack-trace.js";
import type { CellTexts, SourcePlace } from "./cell-texts.js";
import type { FunctionContent } from "./graph-reader.js";
import { nameOf } from "./user-functions.js";

/** Makes functions and classes from their source, where it stood in its cell. */
export class FunctionMaker {
  readonly #evaluator: Evaluator;
  readonly #texts: CellTexts;
  readonly #maxMs: number;

  constructor(evaluator: Evaluator, texts: CellTexts, maxMs: number) {
    this.#evaluator = evaluator;
    this.#texts = texts;
    this.#maxMs = maxMs;
  }

  /** @throws whatever a class throws while it is made. */
  make({ source, place, name, length }: FunctionContent): object {
    const made = this.#evaluate(source, place);
    if (place !== undefined) this.#texts.settle(made, place);
    // A name that came from where it was assigned is not in its source.
    if (nameOf(made) !== name && Object.getOwnPropertyDescriptor(made, "name")?.configurable !== false)
      Object.defineProperty(made, "name", { value: name, configurable: true });
    if ((made as { length: number }).length !== length)
      Object.defineProperty(made, "length", { value: length, configurable: true });
    return made;
  }

  #evaluate(source: string, place: SourcePlace | undefined): object {
    try {
      return this.#run(source, place, "(", ")");
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError) || source.startsWith("class")) throw thrown;
      // Methods and accessors have no meaning outside an object.
      const holder = this.#run(source, place, "({", "})");
      const own = Object.getOwnPropertyDescriptor(holder, Reflect.ownKeys(holder)[0]!)!;
      return (own.value ?? own.get ?? own.set) as object;
    }
  }

  /** With lines and columns as they were, so that errors name them. */
  #run(source: string, place: SourcePlace | undefined, open: string, close: string): object {
    if (place === undefined)
      return this.#evaluator.runNow(open + source + close, "artificer:restored", this.#maxMs) as object;
    const { script, line, column, shifts } = place;
    const added = Math.max(0, open.length - column);
    const moved = added > 0 ? [{ line: line + 1, column: 1, by: added }, ...shifts] : shifts;
    const url = registerScript("cell", script, moved);
    const padding = "\n".repeat(line) + " ".repeat(Math.max(0, column - open.length));
    return this.#evaluator.runNow(padding + open + source + close, url, this.#maxMs) as object;
  }
}
