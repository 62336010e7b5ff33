/** The same names without a prototype: `artificer constructor` must find no command. */
export function ownNames<T extends Record<string, unknown>>(names: T): T {
  return Object.assign(Object.create(null), names) as T;
}
