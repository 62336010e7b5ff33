import { inspect } from "node:util";
import type { HostLink } from "../host-link.js";

/** What cells of either language share. */
export interface Sharing {
  /** `share`, `take`, `unshare` and `shared`. */
  handles: Record<string, unknown>;
  /** The host tells what is shared by now. */
  know(names: readonly string[]): void;
}

// What the language asks of any object. None of these is a name that can be shared.
const asked = new Set(["then", "toJSON", "constructor", "valueOf"]);

/** The handles for what cells share. `shared.<name>` asks the host, a listing of `shared` does not have to. */
export function createSharing(host: HostLink): Sharing {
  let known = new Set<string>();

  async function share(name: string, value: unknown): Promise<void> {
    // The host tells the new name before it answers.
    await host.request("shared.set", { name, value }, share);
  }

  function take(name: string): Promise<unknown> {
    return host.request("shared.get", { name }, take);
  }

  async function unshare(name: string): Promise<boolean> {
    known.delete(name);
    return (await host.request("shared.delete", { name }, unshare)) as boolean;
  }

  const shown = () => `<shared: ${[...known].join(", ") || "nothing yet"}>`;
  const target: object = Object.assign(Object.create(null), { [inspect.custom]: shown, toString: shown });
  const shared = new Proxy(target, {
    get(object, key) {
      if (typeof key === "symbol" || Object.hasOwn(object, key)) return Reflect.get(object, key) as unknown;
      return asked.has(key) ? undefined : take(key);
    },
    has: (object, key) => (typeof key === "string" && known.has(key)) || Object.hasOwn(object, key),
    set(_object, key) {
      throw new TypeError(`Sharing has to be waited for: await share(${JSON.stringify(String(key))}, value).`);
    },
    deleteProperty(_object, key) {
      // Nobody waits for it: a failure is told as any promise's that nobody handles.
      if (typeof key === "string") void unshare(key);
      return true;
    },
    ownKeys: () => [...known],
    getOwnPropertyDescriptor(object, key) {
      if (typeof key !== "string" || !known.has(key)) return undefined;
      // The target's own members are hidden; a name that is shared shows as one that can be asked for.
      return Object.hasOwn(object, key) ? undefined : { get: () => take(key), enumerable: true, configurable: true };
    },
  });

  return {
    handles: { share, take, unshare, shared },
    know(names) {
      known = new Set(names);
    },
  };
}
