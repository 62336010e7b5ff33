/** A regular expression as a rule writes it; `(?i)` at its beginning means that case makes no difference. @throws SyntaxError */
export function compileExpression(source: string): RegExp {
  return source.startsWith("(?i)") ? new RegExp(source.slice(4), "iu") : new RegExp(source, "u");
}
