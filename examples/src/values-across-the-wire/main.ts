/*
 * What may cross between host and kernel, and what is refused: bytes, big integers, dates, sets and NaN come back as they
 * went in, while a function is refused by an error that names the place.
 */
import assert from "node:assert/strict";
import { ArtificerError, decodeValue, encodeValue } from "@artificer/protocol";

const measurements = {
  taken: new Date("2024-02-29T12:00:00Z"),
  station: "north ridge",
  total: 2n ** 70n,
  raw: Uint8Array.from({ length: 1024 }, (_, index) => index % 256),
  flags: new Set(["calibrated", "night"]),
  gap: Number.NaN,
};

const { json, parts } = encodeValue(measurements);
const header = JSON.stringify(json);
assert.deepEqual(decodeValue(JSON.parse(header), parts), measurements);
const carried = parts.reduce((sum, part) => sum + part.byteLength, 0);
console.log(
  `A value with ${Object.keys(measurements).length} members came back equal: ${header.length} characters of JSON and ${carried} raw bytes.`,
);

const refused = refusalOf({ rows: [{ at: 1 }, { at: () => 2 }] });
assert.equal(refused.code, "value/not-encodable");
assert.equal(refused.details.path, "$.rows[1].at");
console.log(`A function was refused: ${refused.message}`);

function refusalOf(value: unknown): ArtificerError {
  try {
    encodeValue(value);
  } catch (error) {
    if (ArtificerError.is(error)) return error;
    throw error;
  }
  return assert.fail("the value was taken");
}
