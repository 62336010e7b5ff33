/** Stops the preparation of a source at something that can't be carried over; `offset` is where. */
export class SourceError extends Error {
  readonly offset: number;
  readonly hint: string | undefined;

  constructor(message: string, offset: number, hint?: string) {
    super(message);
    this.offset = offset;
    this.hint = hint;
  }
}
