import type { Language } from "@artificer/protocol";

/** What of a store travels between stores. Journals, snapshots, indexes and usage stay where they are: they belong to a place. */
export const storeKinds = ["skills", "tools", "deps", "artifacts", "config"] as const;

export type StoreKind = (typeof storeKinds)[number];

/** What one key is of: its kind, and the name under which people decide about it. */
export interface KeyPlace {
  kind: StoreKind;
  /** Unique in a store: `skills/count_words`, `tools/curl.yaml`, `artifacts/reports/may.json`, `requirements.txt`. */
  id: string;
  /** Set for skills. */
  skill?: { name: string; language: Language };
}

const prefixes: Record<StoreKind, readonly string[]> = {
  skills: ["skills/"],
  tools: ["tools/", "mcp.json"],
  deps: ["requirements.txt"],
  artifacts: ["artifacts/"],
  config: ["config.yaml"],
};

/** Prefixes of the keys that a kind may have; what is listed by one is looked at with `placeOfKey`. */
export function prefixesOf(kind: StoreKind): readonly string[] {
  return prefixes[kind];
}

/** Undefined for a key that does not travel. */
export function placeOfKey(key: string): KeyPlace | undefined {
  if (key.startsWith("skills/")) {
    const [, name = "", extension] = /^skills\/([^/_][^/]*)\.(py|ts)$/.exec(key) ?? [];
    if (name === "") return undefined;
    return {
      kind: "skills",
      id: `skills/${name}`,
      skill: { name, language: extension === "py" ? "python" : "typescript" },
    };
  }
  if (key === "mcp.json" || key.startsWith("tools/")) return { kind: "tools", id: key };
  if (key === "requirements.txt") return { kind: "deps", id: key };
  if (key.startsWith("artifacts/")) return { kind: "artifacts", id: key };
  return key === "config.yaml" ? { kind: "config", id: key } : undefined;
}
