import assert from "node:assert/strict";
import { ArtificerError, type ErrorCode } from "@artificer/protocol";

/** Passes when the promise is refused with this code; gives the error for a closer look. */
export async function refusal(code: ErrorCode, promise: Promise<unknown>): Promise<ArtificerError> {
  const error = await promise.then(
    (value) => assert.fail(`a refusal with ${code} was due, but it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(ArtificerError.is(error), `a refusal with ${code} was due, but it threw ${String(error)}`);
  assert.equal(error.code, code, error.message);
  return error;
}
