import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bridgeName } from "../prepare/emit-constructs.js";
import type { Evaluator } from "./evaluator.js";
import type { Importer } from "./importer.js";
import { workingFolder } from "./primordials.js";

/** Carries the value of a top-level `return` out of a cell. */
export class Returned {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** What prepared code finds under the bridge's name. */
export interface Bridge {
  (specifier: string): Promise<unknown>;
  bound: unknown[];
}

/** Puts the kernel's own object into the global scope, where prepared code looks for it and people don't. */
export function installBridge(evaluator: Evaluator, importer: Importer): Bridge {
  const bridge = Object.assign((specifier: string) => importer.load(String(specifier)), {
    bound: [] as unknown[],
    held: () => evaluator.held,
    take: (value: unknown) => evaluator.take(value),
    give: (...values: unknown[]) => new Returned(values[0]),
    pass(error: unknown) {
      if (error instanceof Returned) throw error;
    },
    member(target: Record<string, unknown>, key: string, value: unknown) {
      target[key] = value;
      if (typeof value === "number") target[value] = key;
      return value;
    },
    expose(target: object, members: object) {
      return Object.defineProperties(target, Object.getOwnPropertyDescriptors(members));
    },
    meta: {
      get url() {
        return pathToFileURL(join(workingFolder(), "cell.ts")).href;
      },
      get dirname() {
        return workingFolder();
      },
      get filename() {
        return join(workingFolder(), "cell.ts");
      },
      resolve: (specifier: string) => importer.resolve(specifier),
    },
  });
  Object.defineProperty(globalThis, bridgeName, {
    value: bridge,
    enumerable: false,
    writable: false,
    configurable: false,
  });
  return bridge;
}
