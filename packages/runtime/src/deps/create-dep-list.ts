import { ArtificerError, type Storage } from "@artificer/protocol";
import { parsePipRequirementsLine } from "pip-requirements-js";
import type { Dep, DepList } from "./dep-list.js";

const key = "requirements.txt";

/** Puts packages where the session's kernels import from. */
export type InstallDeps = (
  specs: readonly string[],
  options: { signal?: AbortSignal },
) => Promise<{ installed: string[] }>;

export interface DepListOptions {
  storage: Storage;
  install?: InstallDeps;
  /** False locks the list: adding, removing and installing are refused. Default true. */
  allowRuntimeDeps?: boolean;
}

/** The deps of a session, kept as the `requirements.txt` that people edit: comments and order stay. */
export function createDepList({ storage, install, allowRuntimeDeps = true }: DepListOptions): DepList {
  const unlocked = (spec: string) => {
    if (!allowRuntimeDeps) {
      throw new ArtificerError("dep/locked", `Packages can't be changed in this session: ${spec} was refused.`, {
        details: { spec },
        hint: "Add it to requirements.txt before the session starts.",
      });
    }
  };
  const edit = async (change: (lines: string[]) => string[] | undefined): Promise<boolean> => {
    for (;;) {
      const { text, revision } = await readText(storage);
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      const changed = change(lines);
      if (changed === undefined) return false;
      try {
        await storage.blobs.write(key, Buffer.from(changed.map((line) => `${line}\n`).join("")), {
          ifRevision: revision,
        });
        return true;
      } catch (thrown) {
        if (!ArtificerError.is(thrown, "storage/conflict")) throw thrown;
      }
    }
  };
  return {
    async list() {
      return (await readText(storage)).text.split("\n").flatMap((line) => parseDep(line) ?? []);
    },
    async add(spec) {
      unlocked(spec);
      const dep = parseDep(spec);
      if (dep === undefined) throw invalid(spec);
      await edit((lines) => [...lines.filter((line) => parseDep(line)?.name !== dep.name), dep.spec]);
      return dep;
    },
    async remove(name) {
      unlocked(name);
      const wanted = canonical(name);
      return edit((lines) => {
        const kept = lines.filter((line) => parseDep(line)?.name !== wanted);
        return kept.length === lines.length ? undefined : kept;
      });
    },
    async sync(options = {}) {
      unlocked("sync");
      const specs = (await this.list()).map(({ spec }) => spec);
      if (specs.length === 0) return { installed: [] };
      if (install === undefined) {
        throw new ArtificerError("dep/install-failed", "This session has no installer, so nothing was installed.", {
          hint: `Install them into the kernel's interpreter: python -m pip install ${specs.join(" ")}`,
        });
      }
      return install(specs, options);
    },
  };
}

async function readText(storage: Storage): Promise<{ text: string; revision: string | null }> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return { text: "", revision: null };
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  return { text: Buffer.concat(chunks).toString("utf8"), revision: blob.info.revision };
}

/** Undefined for a blank line, a comment, an option of pip, or a line that is no requirement. */
function parseDep(line: string): Dep | undefined {
  try {
    const parsed = parsePipRequirementsLine(line);
    if (parsed === null || (parsed.type !== "ProjectName" && parsed.type !== "ProjectURL")) return undefined;
    return { spec: line.replace(/\s+#.*$/, "").trim(), name: canonical(parsed.name) };
  } catch {
    return undefined;
  }
}

/** Names that differ in case, `-`, `_` and `.` are one package (PEP 503). */
function canonical(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_.]+/g, "-");
}

function invalid(spec: string): ArtificerError {
  return new ArtificerError("dep/invalid", `${JSON.stringify(spec)} is no package requirement.`, {
    details: { spec },
    hint: "Write it as pip does: pandas, pandas>=2.0, requests[socks]==2.32.3.",
  });
}
