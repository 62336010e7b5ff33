import { versionPattern } from "@artificer/kernel-python";
import { ArtificerError } from "@artificer/protocol";
import { requireDep } from "@artificer/runtime";
import { z } from "zod";

/** A virtual environment of the base's own: see `VenvOptions`. */
export const venvSchema = z.strictObject({
  python: z
    .string({ error: 'write the version in quotes, as "3.12": without them 3.10 is the number 3.1' })
    .regex(versionPattern, { error: 'is a version such as "3.12" or "3.12.1"' })
    .optional(),
  packages: z
    .array(
      z.string().superRefine((spec, { addIssue }) => {
        const trouble = whyNoRequirement(spec);
        if (trouble !== undefined) addIssue({ code: "custom", message: trouble });
      }),
    )
    .default([]),
});

function whyNoRequirement(spec: string): string | undefined {
  try {
    requireDep(spec);
    return undefined;
  } catch (thrown) {
    if (!ArtificerError.is(thrown)) throw thrown;
    return `${thrown.message.replace(/\.$/, "")}; ${thrown.hint}`.replace(/\.$/, "");
  }
}
