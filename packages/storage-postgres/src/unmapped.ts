/** What drizzle prepared, with the type of its rows. */
interface Prepared<Row> {
  execute(values?: Record<string, unknown>): Promise<Row[]>;
}

/** What both of its drivers have beside it: the rows as they come, objects by the names of columns. */
interface WithRawRows<Row> {
  all(values: Record<string, unknown>): Promise<Row[]>;
}

/**
 * Runs a statement without drizzle's mapping of its rows, which goes through each row column by column and takes several times as long as the
 * driver. For columns of text alone, whose names in the table are those of the fields.
 */
export function unmapped<Row>(statement: Prepared<Row>): (values: Record<string, unknown>) => Promise<Row[]> {
  const prepared = statement as Prepared<Row> & WithRawRows<Row>;
  return (values) => prepared.all(values);
}
