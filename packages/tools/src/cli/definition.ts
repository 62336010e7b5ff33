import { z } from "zod";

const name = z
  .string()
  .regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}$/u,
    "has to be 1 to 100 letters, digits, `_`, `-`, `.` or blanks, not beginning with a sign",
  );
const noNul = (text: string): boolean => !text.includes("\0");
const word = z.string().refine(noNul, "must not hold a NUL character");
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const given = z.union([scalar, z.array(z.union([z.string(), z.number()]))]);
const effect = z.enum(["read", "write", "destructive", "egress"]);
const output = z.enum(["text", "json", "lines", "jsonl", "csv", "bytes"]);
const timeout = z.number().positive().max(86_400);
const exitCodes = z.array(z.int().min(0).max(255)).min(1);

/** What every argument can say about itself. */
const argumentKeys = {
  description: z.string().optional(),
  type: z.enum(["string", "integer", "number", "boolean", "array"]).optional(),
  required: z.boolean().optional(),
  default: given.optional(),
  enum: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .optional(),
  pattern: z.string().refine(isPattern, "is no valid regular expression").optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** Type of an array's items. */
  items: z.enum(["string", "integer", "number"]).optional(),
};

const option = z.strictObject({
  ...argumentKeys,
  short: z
    .string()
    .regex(/^[^\s=-]$/, "has to be the one character behind the dash, such as `v`")
    .optional(),
  long: z
    .string()
    .regex(/^[^\s=-][^\s=]*$/, "has to be the word behind the two dashes, such as `verbose`")
    .optional(),
  flag: z
    .string()
    .regex(/^[-+][^\s=]+$/, "has to be the flag as the program takes it, such as `-name` or `+short`")
    .optional(),
  style: z.enum(["equals", "attached", "separate"]).optional(),
  separator: z.string().min(1).optional(),
  allowLeadingDash: z.boolean().optional(),
});

const positional = z.strictObject({ name, ...argumentKeys });
const stdin = z.strictObject({
  name,
  description: z.string().optional(),
  type: z.enum(["string", "bytes"]).default("string"),
  required: z.boolean().default(false),
});
/** `url:` with nothing behind it means the same as `url: {}`; all members of these are optional. */
const orNothing = <S extends z.ZodObject>(object: S) =>
  object.nullish().transform((value): z.output<S> => value ?? ({} as z.output<S>));

const recipe = z.strictObject({
  description: z.string().optional(),
  args: z.array(word).optional(),
  preset: z.record(z.string(), given).optional(),
  params: z.record(z.string(), orNothing(z.strictObject(argumentKeys))).optional(),
  output: output.optional(),
  timeout: timeout.optional(),
  effect: effect.optional(),
  successExitCodes: exitCodes.optional(),
});

const schema = z.strictObject({
  options: z.record(name, orNothing(option)).optional(),
  positional: z.array(positional).optional(),
  stdin: stdin.optional(),
});

/** The whole of a `tools/*.yaml` file for a command-line program. */
export const cliDefinition = z.strictObject({
  type: z.literal("cli").optional(),
  name,
  description: z.string().default(""),
  command: z.union([word.min(1), z.array(word.min(1)).min(1)]).optional(),
  tags: z.array(z.string()).optional(),
  effect: effect.default("write"),
  timeout: timeout.default(60),
  killGrace: z.number().min(0).max(60).default(0.5),
  cwd: word.optional(),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_]\w*$/),
      z.union([
        z.union([word, z.number(), z.boolean()]).transform(String),
        z.strictObject({ secret: z.string().min(1) }),
      ]),
    )
    .optional(),
  passEnv: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).optional(),
  output: output.default("text"),
  successExitCodes: exitCodes.default([0]),
  maxOutputBytes: z.int().positive().max(1_073_741_824).default(16_777_216),
  endOfOptions: z.union([z.boolean(), z.string().regex(/^--\S*$/)]).default(true),
  escapeHatch: z.union([name, z.literal(false)]).default("run"),
  schema: orNothing(schema),
  recipes: z.record(name, orNothing(recipe)).default({}),
});

export type CliDefinition = z.output<typeof cliDefinition>;
/** A definition as it may be written, before defaults. */
export type CliDefinitionInput = z.input<typeof cliDefinition>;
export type CliOption = z.output<typeof option>;
export type CliRecipe = z.output<typeof recipe>;
export type CliOutput = z.output<typeof output>;

/** The keys allowed at a place of a definition, for messages about unknown ones. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  const [first, second] = path;
  if (path.length === 0) return Object.keys(cliDefinition.shape);
  if (first === "schema" && path.length === 1) return Object.keys(schema.shape);
  if (first === "schema" && second === "options") return Object.keys(option.shape);
  if (first === "schema" && second === "positional") return Object.keys(positional.shape);
  if (first === "schema" && second === "stdin") return Object.keys(stdin.shape);
  if (first === "recipes" && path.length === 2) return Object.keys(recipe.shape);
  if (first === "recipes" && path[2] === "params") return Object.keys(argumentKeys);
  return [];
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
