import { ArtificerError } from "@artificer/protocol";

/** @throws ArtificerError `cell/not-a-string`, `cell/too-large` */
export function checkCode(code: unknown, maxCodeBytes: number): asserts code is string {
  if (typeof code !== "string") {
    throw new ArtificerError(
      "cell/not-a-string",
      `A cell's code is a string; this is ${code === null ? "null" : `a ${typeof code}`}.`,
    );
  }
  const bytes = Buffer.byteLength(code);
  if (bytes > maxCodeBytes) {
    throw new ArtificerError(
      "cell/too-large",
      `A cell may have ${maxCodeBytes} bytes of code; this one has ${bytes}.`,
      {
        details: { bytes, maxCodeBytes },
        hint: "Put data into an artifact and load it in the cell.",
      },
    );
  }
}
