import type { SourceParameter } from "@artificer/protocol";

/** `name(owner: str, repo: str = "all", *, limit: int = 10) -> int`. */
export function skillSignature(name: string, parameters: readonly SourceParameter[], returns?: string): string {
  const parts: string[] = [];
  let keywordOnly = false;
  for (const parameter of parameters) {
    if (parameter.kind === "rest" || parameter.kind === "keyword") {
      if (parameter.kind === "keyword" && !keywordOnly) parts.push("*");
      keywordOnly = true;
    }
    parts.push(part(parameter));
  }
  return `${name}(${parts.join(", ")})${returns === undefined ? "" : ` -> ${returns}`}`;
}

function part({ name, type, kind, required, default: value }: SourceParameter): string {
  const prefix = kind === "rest" ? "*" : kind === "keyword-rest" ? "**" : "";
  const typed = type === "any" ? `${prefix}${name}` : `${prefix}${name}: ${type}`;
  if (prefix !== "" || required) return typed;
  return `${typed} = ${value ?? "..."}`;
}
