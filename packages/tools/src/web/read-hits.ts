import { ArtificerError } from "@artificer/protocol";
import type { z } from "zod";

/** @throws ArtificerError `tool/output-unparsable` when a provider's answer is not of the shape that it documents. */
export function readHits<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
  provider: string,
): z.output<Schema> {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ArtificerError(
    "tool/output-unparsable",
    `${provider} answered with something else than results: ${issue?.path.join(".")}: ${issue?.message}.`,
    { details: { provider }, hint: "Check that the address is that of the search API." },
  );
}
