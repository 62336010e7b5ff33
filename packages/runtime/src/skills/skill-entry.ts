import { sourceParameter } from "@artificer/protocol";
import { z } from "zod";

/** What is known of a skill's file at one revision: enough to list and search it without reading it again. */
export const skillEntry = z.object({
  format: z.literal(1),
  name: z.string(),
  language: z.enum(["python", "typescript"]),
  /** Revision of the blob that all of this was read from. */
  revision: z.string(),
  /** SHA-256 of the file, in hexadecimal digits. */
  hash: z.string(),
  version: z.int(),
  description: z.string(),
  tags: z.array(z.string()),
  requiredEnvironmentVariables: z.array(z.string()),
  deps: z.array(z.string()),
  tools: z.array(z.string()),
  skills: z.array(z.string()),
  parameters: z.array(sourceParameter),
  returns: z.string().optional(),
  doc: z.string().default(""),
  updatedAt: z.string(),
  /** Why it can't be used; `passing` when that is not the file's fault and is tried again. */
  problem: z
    .object({ code: z.string(), message: z.string(), hint: z.string().optional(), passing: z.boolean().default(false) })
    .optional(),
});

export type SkillEntry = z.infer<typeof skillEntry>;
