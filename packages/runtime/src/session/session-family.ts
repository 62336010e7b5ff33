import type { CoreSession } from "./session.js";

const families = new WeakMap<CoreSession, Set<string>>();

/** The ids of the sessions that work for one another: a session, its sub-agents, and theirs. */
export function joinFamily(session: CoreSession, parent: CoreSession | undefined): ReadonlySet<string> {
  const family = (parent && families.get(parent)) ?? new Set<string>();
  family.add(session.id);
  families.set(session, family);
  return family;
}
