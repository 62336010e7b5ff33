import { ArtificerError } from "@artificer/protocol";
import { parsePipRequirementsLine } from "pip-requirements-js";

/** A requirement as a line of `requirements.txt` has it. */
export interface DeclaredDep {
  spec: string;
  name: string;
}

/** Undefined for a blank line, a comment, an option of pip, or a line that is no requirement. */
export function parseDep(line: string): DeclaredDep | undefined {
  try {
    const parsed = parsePipRequirementsLine(line);
    if (parsed === null || (parsed.type !== "ProjectName" && parsed.type !== "ProjectURL")) return undefined;
    return { spec: line.replace(/\s+#.*$/, "").trim(), name: canonicalDepName(parsed.name) };
  } catch {
    return undefined;
  }
}

/** Names that differ in case, `-`, `_` and `.` are one package (PEP 503). */
export function canonicalDepName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_.]+/g, "-");
}

/** @throws ArtificerError `dep/invalid` */
export function requireDep(spec: string): DeclaredDep {
  const dep = spec.includes("\n") ? undefined : parseDep(spec);
  if (dep !== undefined) return dep;
  throw new ArtificerError("dep/invalid", `${JSON.stringify(spec)} is no package requirement.`, {
    details: { spec },
    hint: "Write it as pip does: pandas, pandas>=2.0, requests[socks]==2.32.3.",
  });
}
