import { descriptionHash, type ServerDescription, toolHash } from "./server-description.js";

/** How a server's description differs from the one that was known. */
export interface DescriptionChange {
  toolkit: string;
  previousHash: string;
  hash: string;
  added: string[];
  removed: string[];
  /** Tools of the same name whose description, schema or hints are different now. */
  changed: string[];
  /** True when the server's instructions, or what kinds of things it offers, are different now. */
  instructionsChanged: boolean;
}

/** Compares two descriptions of one server; undefined when they say the same. */
export function describeChange(
  toolkit: string,
  before: ServerDescription,
  after: ServerDescription,
): DescriptionChange | undefined {
  const previousHash = descriptionHash(before);
  const hash = descriptionHash(after);
  if (hash === previousHash) return undefined;
  const old = new Map(before.tools.map((tool) => [tool.name, toolHash(tool)]));
  const now = new Map(after.tools.map((tool) => [tool.name, toolHash(tool)]));
  return {
    toolkit,
    previousHash,
    hash,
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)),
    instructionsChanged:
      before.instructions !== after.instructions ||
      before.resources !== after.resources ||
      before.prompts !== after.prompts,
  };
}
