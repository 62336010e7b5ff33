import { readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC, as Linux shows it in octal. */
const closedOnExec = 0o2000000;

/**
 * Descriptors above the standard three that this process was started with and would pass on to any child: Node's own
 * are never among them. Empty where the system does not tell.
 */
export function inheritedDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    // Closed meanwhile: the listing's own.
    return false;
  }
}
