/**
 * Turns any name into one that Python and TypeScript both take: NFKC (Python folds identifiers so), every character that
 * can't stand in an identifier becomes `_`, and a first character that can't begin one gets `n_` before it.
 * Not unique by itself: see `uniqueIdentifiers`.
 */
export function toIdentifier(name: string): string {
  const folded = name
    .slice(0, 200)
    .normalize("NFKC")
    .replace(/[^\p{XID_Continue}]/gu, "_");
  return /^[\p{XID_Start}_]/u.test(folded) ? folded : `n_${folded}`;
}

/** The same for a public name: one that begins with `_` would be skipped by `import *` or taken for a private member. */
export function toPublicIdentifier(name: string): string {
  const identifier = toIdentifier(name);
  return identifier.startsWith("_") ? `n${identifier}` : identifier;
}
