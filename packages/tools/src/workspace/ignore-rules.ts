import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

const maxRulesBytes = 1024 * 1024;

/** Which paths the `.gitignore` files of a folder leave out. Paths are relative to it, with forward slashes. */
export interface IgnoreRules {
  /** By the rules about the path itself; the folders above it are taken to have been asked about. */
  leavesOut(path: string, isFolder: boolean): Promise<boolean>;
  /** By the rules about the path or any folder above it. */
  leavesOutDeep(path: string, isFolder?: boolean): Promise<boolean>;
}

const noRules: IgnoreRules = { leavesOut: async () => false, leavesOutDeep: async () => false };

/** The rules for a walk from a folder: none where it is itself left out, since who names it wants to see what is in it. */
export async function rulesFor(folder: string, start: string): Promise<IgnoreRules> {
  const rules = createIgnoreRules(folder);
  return start !== "." && (await rules.leavesOutDeep(start, true)) ? noRules : rules;
}

/** Reads each `.gitignore` once, from the folder down; what lies above it has no say. */
function createIgnoreRules(folder: string): IgnoreRules {
  const known = new Map<string, Promise<Ignore | undefined>>();
  const rulesOf = (base: string) => {
    let rules = known.get(base);
    if (rules === undefined) {
      rules = readRules(join(folder, base));
      known.set(base, rules);
    }
    return rules;
  };
  const leavesOut = async (path: string, isFolder: boolean) => {
    const steps = path.split("/");
    // The nearest file that says something about the path decides.
    for (let depth = steps.length - 1; depth >= 0; depth--) {
      const rules = await rulesOf(steps.slice(0, depth).join("/"));
      const verdict = rules?.test(steps.slice(depth).join("/") + (isFolder ? "/" : ""));
      if (verdict?.ignored) return true;
      if (verdict?.unignored) return false;
    }
    return false;
  };
  return {
    leavesOut,
    async leavesOutDeep(path, isFolder = false) {
      const steps = path.split("/");
      for (let depth = 1; depth < steps.length; depth++) {
        if (await leavesOut(steps.slice(0, depth).join("/"), true)) return true;
      }
      return leavesOut(path, isFolder);
    },
  };
}

async function readRules(folder: string): Promise<Ignore | undefined> {
  const text = await readFile(join(folder, ".gitignore"), "utf8").catch(() => undefined);
  if (text === undefined || text.length > maxRulesBytes) return undefined;
  // A rule with stars without number can be tried without end; no honest one has more.
  return ignore().add(text.split("\n").filter((line) => line.split("*").length <= 8));
}
