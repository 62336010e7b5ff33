import { Session } from "node:inspector";
import type { EvaluateReply, RemoteValue } from "./cell.js";
import { holdPromise } from "./hold-promise.js";

const group = "artificer";

/** A property as the inspector tells it. */
export interface RemoteProperty {
  name: string;
  value?: RemoteValue & { description?: string };
}

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

  /**
   * Runs a script at once and gives its value. One that waits for something can't be run so.
   *
   * @throws what the script throws, or an Error after `timeoutMs`.
   */
  runNow(script: string, url: string, timeoutMs?: number): unknown {
    const expression = `${script}\n//# sourceURL=${url}`;
    const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
    const reply = this.#ask<EvaluateReply>("Runtime.evaluate", { expression, silent: true, ...timeout });
    if (reply === undefined) throw new Error(`it took longer than ${(timeoutMs ?? 0) / 1000} s`);
    const { result, exceptionDetails } = reply;
    if (exceptionDetails === undefined) return this.valueOf(result);
    throw exceptionDetails.exception === undefined
      ? new Error(exceptionDetails.text)
      : this.valueOf(exceptionDetails.exception);
  }

  /** What `held` of the bridge is while the inspector is asked about it. */
  held: unknown;

  /** What the inspector tells of an object beyond its properties. */
  propertiesOf(value: object): { internal: RemoteProperty[]; privates: RemoteProperty[] } {
    this.held = value;
    const reply = this.#ask<EvaluateReply>("Runtime.evaluate", {
      expression: "__imp$.held()",
      silent: true,
      objectGroup: group,
    });
    this.held = undefined;
    const objectId = reply?.result.objectId;
    if (objectId === undefined) return { internal: [], privates: [] };
    const { internal, privates } = this.remoteProperties(objectId);
    return { internal, privates };
  }

  remoteProperties(objectId: string): {
    own: RemoteProperty[];
    internal: RemoteProperty[];
    privates: RemoteProperty[];
  } {
    const reply = this.#ask<{
      result: RemoteProperty[];
      internalProperties?: RemoteProperty[];
      privateProperties?: RemoteProperty[];
    }>("Runtime.getProperties", { objectId, ownProperties: true });
    return {
      own: reply?.result ?? [],
      internal: reply?.internalProperties ?? [],
      privates: reply?.privateProperties ?? [],
    };
  }

  /** Lets go of everything that the inspector has been asked about. */
  release(): void {
    this.#session.post("Runtime.releaseObjectGroup", { objectGroup: group });
  }

  /** Undefined when the command failed. */
  #ask<T>(method: string, params: object): T | undefined {
    let answer: T | undefined;
    this.#session.post(method, params, (_error: Error | null, reply?: object) => {
      answer = reply as T | undefined;
    });
    return answer;
  }
}

function parseUnserializable(text: string): unknown {
  if (text.endsWith("n")) return BigInt(text.slice(0, -1));
  return text === "-0" ? -0 : Number(text);
}
