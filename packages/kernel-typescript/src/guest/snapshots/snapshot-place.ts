import { changeFolder, currentFolder } from "../primordials.js";
import { reasonOf } from "./unsavable.js";

/** What the cells have changed of the process. */
export interface PlaceChanges {
  /** Undefined when it is as it was; empty when the folder is gone. */
  cwd?: string;
  env: Record<string, string>;
  unset: string[];
}

/** Where a kernel stands besides its variables: working folder and environment. */
export class SnapshotPlace {
  readonly #cwd = folder();
  readonly #env: Record<string, string | undefined> = { ...process.env };

  changes(): PlaceChanges {
    const env = Object.entries(process.env).filter(([name, value]) => this.#env[name] !== value);
    const cwd = folder();
    return {
      ...(cwd === this.#cwd ? {} : { cwd: cwd ?? "" }),
      env: Object.fromEntries(env) as Record<string, string>,
      unset: Object.keys(this.#env).filter((name) => !(name in process.env)),
    };
  }

  /** Repeats the changes; tells what could not be repeated. */
  apply({ cwd, env, unset }: PlaceChanges): { name: string; reason: string }[] {
    Object.assign(process.env, env);
    for (const name of unset) delete process.env[name];
    if (cwd === undefined) return [];
    if (cwd === "") return [{ name: "the working folder", reason: "it was gone when the variables were saved" }];
    try {
      changeFolder(cwd);
      return [];
    } catch (thrown) {
      return [{ name: `the working folder ${cwd}`, reason: reasonOf(thrown) }];
    }
  }
}

function folder(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}
