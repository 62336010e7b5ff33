import { ArtificerError } from "@artificer/protocol";
import type { z } from "zod";

/** Checks what a kernel sent. @throws ArtificerError `usage/invalid-argument` naming the field. */
export function parseParams<T extends z.ZodType>(schema: T, params: unknown, method: string): z.output<T> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw new ArtificerError(
    "usage/invalid-argument",
    `${method}: ${field === "" ? "the arguments" : field}: ${issue?.message ?? "invalid"}.`,
    {
      details: { method, field },
    },
  );
}
