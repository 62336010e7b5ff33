import { Session } from "node:inspector";
import type { EvaluateReply, RemoteValue } from "./cell.js";
import { holdPromise } from "./hold-promise.js";

/** Runs scripts in V8's REPL mode, through the process's own inspector: top-level await, redeclaration and the last value are its own. */
export class Evaluator {
  readonly #session = new Session();
  #taken: unknown;

  constructor() {
    this.#session.connect();
  }

  /** `then` is called when the script, with all it awaits at its top level, is done. */
  run(script: string, url: string, then: (reply: EvaluateReply | undefined) => void): void {
    const expression = `${script}\n//# sourceURL=${url}`;
    const options = { expression, replMode: true, awaitPromise: true, silent: true };
    holdPromise((letGo) => {
      this.#session.post("Runtime.evaluate", options as object, (error: Error | null, reply?: object) => {
        letGo();
        then(error === null ? (reply as EvaluateReply) : undefined);
      });
    });
  }

  /** The names bound by `let`, `const` and `class` at the top level, by cells. */
  lexicalNames(): string[] {
    let names: string[] = [];
    this.#session.post("Runtime.globalLexicalScopeNames", (_error: Error | null, reply?: { names: string[] }) => {
      names = reply?.names ?? [];
    });
    return names;
  }

  /** The value itself that the inspector stands for. */
  valueOf(remote: RemoteValue): unknown {
    if (remote.unserializableValue !== undefined) return parseUnserializable(remote.unserializableValue);
    if (remote.objectId === undefined) return remote.value;
    const { objectId } = remote;
    this.#taken = undefined;
    this.#session.post("Runtime.callFunctionOn", {
      functionDeclaration: "function (value) { __imp$.take(value) }",
      objectId,
      arguments: [{ objectId }],
      silent: true,
    } as object);
    this.#session.post("Runtime.releaseObject", { objectId });
    const value = this.#taken;
    this.#taken = undefined;
    return value;
  }

  take(value: unknown): void {
    this.#taken = value;
  }
}

function parseUnserializable(text: string): unknown {
  if (text.endsWith("n")) return BigInt(text.slice(0, -1));
  return text === "-0" ? -0 : Number(text);
}
