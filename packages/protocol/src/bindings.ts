import { z } from "zod";

/** One parameter of a handle, ready for a language's signature. */
export const parameterBinding = z.object({
  /** The tool's own name for it, which goes over the wire. */
  name: z.string(),
  /** The name in the kernel's language, unique among its siblings. */
  identifier: z.string(),
  required: z.boolean(),
  /** The type in the kernel's language, e.g. `list[str]` or `string[]`. */
  type: z.string(),
  /** The default as a codec value, when the schema has one. */
  default: z.unknown().optional(),
  description: z.string().default(""),
});

export const toolBinding = z.object({
  name: z.string(),
  identifier: z.string(),
  /** Its name in the flat scripting module, unique over all toolkits. */
  flat: z.string(),
  description: z.string().default(""),
  parameters: z.array(parameterBinding),
  returns: z.string(),
  /** What the tool does to the world, as policy sees it; absent in tables made by older hosts. */
  effect: z.enum(["read", "write", "destructive", "egress"]).optional(),
  /** Set when no call goes ahead without a person. */
  needs: z.enum(["confirmation", "input", "external"]).optional(),
  /** True when arguments beyond `parameters` are accepted. */
  open: z.boolean().default(false),
});

export const toolkitBinding = z.object({
  name: z.string(),
  /** Under `tools.`: the blocking form. */
  identifier: z.string(),
  /** At the top level: the asynchronous form; absent when the name would hide a builtin or another handle. */
  global: z.string().optional(),
  description: z.string().default(""),
  /** Identifier of the tool that calling the toolkit itself stands for, as in `tools.curl(...)`; absent when it can't be called. */
  direct: z.string().optional(),
  tools: z.array(toolBinding),
});

/** The tools of a session as one language sees them: names, signatures and help come from this table alone. */
export const bindings = z.object({ toolkits: z.array(toolkitBinding) });

export type ParameterBinding = z.infer<typeof parameterBinding>;
export type ToolBinding = z.infer<typeof toolBinding>;
export type ToolkitBinding = z.infer<typeof toolkitBinding>;
export type Bindings = z.infer<typeof bindings>;
