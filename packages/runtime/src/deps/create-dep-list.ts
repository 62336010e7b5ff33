import { ArtificerError, type Storage } from "@artificer/protocol";
import type { DepInstaller } from "./dep-installer.js";
import type { Dep, DepList } from "./dep-list.js";
import { canonicalDepName, type DeclaredDep, parseDep, requireDep } from "./parse-dep.js";
import { editRequirements, readRequirements } from "./requirements-file.js";

export interface DepListOptions {
  storage: Storage;
  installer?: DepInstaller;
  /** False locks the list to what it is when it is first read: changes are refused, and only that much is installed. Default true. */
  allowRuntimeDeps?: boolean;
  /** Told when kernels that run should import from other folders. */
  onPaths?(paths: readonly string[]): Promise<unknown> | undefined;
}

/** The deps of a session, kept as the `requirements.txt` that people edit: comments and order stay. */
export function createDepList(options: DepListOptions): DepList {
  const { storage, installer, allowRuntimeDeps = true } = options;
  let locked: Promise<DeclaredDep[]> | undefined;
  let active: { specs: readonly string[]; paths: string[] } = { specs: [], paths: [] };

  const read = async () => (await readRequirements(storage)).flatMap((line) => parseDep(line) ?? []);
  const declared = () => {
    if (allowRuntimeDeps) return read();
    locked ??= read();
    return locked;
  };
  const unlocked = (spec: string) => {
    if (allowRuntimeDeps) return;
    throw new ArtificerError("dep/locked", `Packages can't be changed in this session: ${spec} was refused.`, {
      details: { spec },
      hint: "Add it to requirements.txt before the session starts.",
    });
  };
  const shown = (dep: DeclaredDep): Dep => ({ ...dep, installed: active.specs.includes(dep.spec) });
  const use = async (specs: readonly string[], paths: string[]) => {
    active = { specs, paths };
    await options.onPaths?.(paths);
  };
  const install = async (specs: readonly string[], signal: { signal?: AbortSignal }) => {
    if (specs.length === 0) {
      await use([], []);
      return { installed: [] };
    }
    if (installer === undefined) throw noInstaller(specs);
    const { paths, installed } = await installer.install(specs, signal);
    await use(specs, paths);
    return { installed };
  };

  return {
    async list() {
      return (await declared()).map(shown);
    },
    async add(spec, signal = {}) {
      unlocked(spec);
      const dep = requireDep(spec);
      const others = (await declared()).filter(({ name }) => name !== dep.name);
      if (installer !== undefined) await install([...others.map((other) => other.spec), dep.spec], signal);
      await editRequirements(storage, (lines) => [
        ...lines.filter((line) => parseDep(line)?.name !== dep.name),
        dep.spec,
      ]);
      return shown(dep);
    },
    async remove(name) {
      unlocked(name);
      const wanted = canonicalDepName(parseDep(name)?.name ?? name);
      return editRequirements(storage, (lines) => {
        const kept = lines.filter((line) => parseDep(line)?.name !== wanted);
        return kept.length === lines.length ? undefined : kept;
      });
    },
    async sync(signal = {}) {
      return install(
        (await declared()).map(({ spec }) => spec),
        signal,
      );
    },
    async paths(signal = {}) {
      const specs = (await declared()).map(({ spec }) => spec);
      const found = specs.length === 0 ? undefined : await installer?.find(specs, signal);
      if (found !== undefined) active = { specs, paths: found };
      return active.paths;
    },
  };
}

function noInstaller(specs: readonly string[]): ArtificerError {
  return new ArtificerError("dep/install-failed", "This session has no installer, so nothing was installed.", {
    hint: `Install them into the kernel's interpreter: python -m pip install ${specs.map((spec) => JSON.stringify(spec)).join(" ")}`,
  });
}
