/** The identifiers in a source that may stand for variables: more than there are, never fewer. */
export function wantedNames(source: string): Set<string> {
  return new Set(source.match(/[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu) ?? []);
}
