/** A row as the driver gives it. */
export type Row = Record<string, unknown>;

/**
 * Runs statements in one transaction and one round trip, without parameters, so that settings can be made for one of them.
 *
 * @returns the rows of each statement.
 */
export type RunScript = (statements: readonly string[], options?: { timeoutMs?: number }) => Promise<Row[][]>;

/** A text as SQL, whatever it holds and however the server takes backslashes. */
export function textLiteral(text: string): string {
  return `convert_from(decode('${Buffer.from(text, "utf8").toString("hex")}', 'hex'), 'UTF8')`;
}
