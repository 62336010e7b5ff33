/**
 * Puts `wanted` into the global scope in the place of `placed`. A name that the user has given another value, or taken away
 * from us, stays the user's. Returns what is ours now. Hidden from listings: only code that asks for a name finds it.
 */
export function currentNames(
  wanted: ReadonlyMap<string, unknown>,
  placed: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const isOurs = (name: string) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    return own === undefined || (placed.has(name) && Object.is(own.value, placed.get(name)));
  };
  const now = new Map<string, unknown>();
  for (const name of placed.keys()) {
    if (!wanted.has(name) && isOurs(name)) Reflect.deleteProperty(globalThis, name);
  }
  for (const [name, value] of wanted) {
    if (!isOurs(name)) continue;
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
    now.set(name, value);
  }
  return now;
}
