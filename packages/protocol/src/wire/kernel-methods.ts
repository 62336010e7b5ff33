import { z } from "zod";
import { bindings } from "../bindings.js";

/** What runs a Python cell: the kernel alone, IPython around it, or IPython where the interpreter has it. */
export const cellEngine = z.enum(["own", "ipython", "auto"]);

/** `kernel.start`: the first request on the wire. The kernel answers once cells can run. */
export const kernelStartParams = z.object({
  wire: z.number(),
  /** The kernel's secret: it goes into every frame the kernel sends. */
  key: z.string(),
  session: z.string(),
  generation: z.int(),
  bindings,
  /** Answered with `kernel/engine-missing` when it can't be had. Kernels of other languages ignore it. */
  engine: cellEngine.optional(),
  /** False closes the shorthand that runs a shell, `!`, `%%bash` and their like. Default true. */
  allowShell: z.boolean().optional(),
  /** Folders to import the session's deps from. */
  paths: z.array(z.string()).optional(),
  limits: z.object({
    /** The encoded size above which a cell's value is not sent at all, in bytes. */
    maxValueBytes: z.int(),
    /** The encoded size above which a cell's value is told by a reference as well, in bytes; `maxValueBytes` when absent. */
    maxInlineBytes: z.int().optional(),
    /** Longest `repr` sent, in characters. */
    maxReprChars: z.int(),
    /** Largest single display part, in bytes. */
    maxDisplayBytes: z.int(),
    /** Displays sent for one cell. */
    maxDisplays: z.int(),
  }),
  /** Whether `snapshot.save` will be asked: the kernel then keeps note of what cells change. */
  snapshots: z.boolean().optional(),
  /** The working folder and the whole environment, for a kernel that was started before they were known. */
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** The limits of the operating system that were set on purpose, so that running into one is told as such. */
  resources: z.record(z.string(), z.number()).optional(),
  /** A folder of this session's alone, which the kernel removes should it find its host dead. */
  staging: z.string().optional(),
});

export const kernelStartResult = z.object({
  pid: z.int(),
  language: z.string(),
  /** Version of the language runtime, e.g. `3.11.7`. */
  version: z.string(),
  executable: z.string(),
  /** What runs the cells, where the language has a choice. */
  engine: z.enum(["own", "ipython"]).optional(),
});

/** `kernel.paths`: the folders to import the session's deps from, instead of those set before. */
export const kernelPathsParams = z.object({ paths: z.array(z.string()) });

/** `cell.run`. Withdrawing the request interrupts the cell. `cwd` is its working folder, for this cell alone. */
export const cellRunParams = z.object({ cell: z.int(), code: z.string(), cwd: z.string().optional() });

/** What went wrong in the user's code, as the language tells it. */
export const cellError = z.object({
  /** The exception's class. */
  type: z.string(),
  message: z.string(),
  /** As the language prints it, naming `cell N, line L`, with no frame of the kernel's own. */
  traceback: z.string(),
  line: z.int().optional(),
  /** A stable code, when the exception was one of ours (a refused tool call, say). */
  code: z.string().optional(),
});

/** What is told of a value that is too large to show; `id` is an expression that stands for it in later cells. */
export const cellReference = z.object({
  id: z.string(),
  type: z.string(),
  shape: z.array(z.int()).optional(),
  /** Encoded size, or the size in memory when it was not encoded. */
  bytes: z.int(),
  head: z.string(),
  tail: z.string(),
});

export const cellRunResult = z.object({
  status: z.enum(["completed", "failed", "interrupted", "exited"]),
  /** False when the cell's last statement was no expression, or its value was the language's nothing. */
  hasValue: z.boolean(),
  /** The last expression's value by the codec; absent when it could not be encoded or was too large. */
  value: z.unknown().optional(),
  /** Why `value` is absent although there was one. */
  valueProblem: z.object({ code: z.string(), message: z.string(), path: z.string().optional() }).optional(),
  repr: z.string().optional(),
  /** Length of the whole `repr` in characters, when it was cut. */
  reprChars: z.int().optional(),
  /** Set for a value larger than `maxInlineBytes`; `value` is there as well when it is no larger than `maxValueBytes`. */
  reference: cellReference.optional(),
  error: cellError.optional(),
  /** The status that the cell asked to exit with. */
  exitCode: z.int().optional(),
  /** Tool calls that the cell started and never awaited, as `toolkit.tool`. */
  unawaited: z.array(z.string()).default([]),
  /** Top-level names that the cell bound or rebound. */
  names: z.array(z.string()).default([]),
  /**
   * Output may still be on its way. When set, the kernel has written this marker to both streams after the cell's last byte;
   * when absent, it saw both streams read empty.
   */
  marker: z.string().optional(),
});

/** `source.analyze`: reads source by the language's own tooling, running none of it. */
export const sourceAnalyzeParams = z.object({ source: z.string(), entry: z.string().default("run") });

export const sourceParameter = z.object({
  name: z.string(),
  /** The annotation as written, or `any`. */
  type: z.string(),
  required: z.boolean(),
  /** The default as written. */
  default: z.string().optional(),
  kind: z.enum(["positional", "keyword", "rest", "keyword-rest"]).default("positional"),
});

export const sourceAnalysis = z.object({
  /** Absent when the source has no such entry point at its top level. */
  entry: z
    .object({
      parameters: z.array(sourceParameter),
      returns: z.string().optional(),
      doc: z.string().optional(),
      async: z.boolean(),
      line: z.int(),
    })
    .optional(),
  /** Set when the source does not parse. */
  syntaxError: z.object({ message: z.string(), line: z.int(), column: z.int().optional() }).optional(),
  /** Modules imported anywhere in it. */
  imports: z.array(z.string()).default([]),
  /** Handles called in it, as `toolkit.tool` and skill names given literally. */
  tools: z.array(z.string()).default([]),
  skills: z.array(z.string()).default([]),
});

/** `variables.list`: the user's top-level names. */
export const variablesListResult = z.array(
  z.object({ name: z.string(), type: z.string(), repr: z.string(), bytes: z.int().optional() }),
);

/** `variables.value`: one of them by the codec. Errors: `session/unknown-variable`, what the codec refuses, `cell/value-too-large`. */
export const variablesValueParams = z.object({ name: z.string() });

/** `shared.names`: what the session's cells share, told whenever it changes to kernels whose listings can't wait. */
export const sharedNamesParams = z.object({ names: z.array(z.string()) });

/** Notice `display`: one rich output, MIME types to text (string) or bytes. Whole bundle, richest representation chosen by the reader. */
export const displayNotice = z.object({
  data: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).default({}),
  /** Names it for updates. */
  id: z.string().max(200).optional(),
  /** It takes the place of what is shown under its id; where there is none, it is shown. */
  update: z.boolean().default(false),
  /** Set when a part was left out for its size. */
  dropped: z.array(z.object({ mime: z.string(), bytes: z.int() })).default([]),
});

export type KernelStartParams = z.infer<typeof kernelStartParams>;
export type KernelStartResult = z.infer<typeof kernelStartResult>;
export type CellEngine = z.infer<typeof cellEngine>;
export type CellRunParams = z.infer<typeof cellRunParams>;
export type CellRunResult = z.infer<typeof cellRunResult>;
export type CellError = z.infer<typeof cellError>;
export type SourceAnalysis = z.infer<typeof sourceAnalysis>;
export type SourceParameter = z.infer<typeof sourceParameter>;
export type VariableInfo = z.infer<typeof variablesListResult>[number];
export type DisplayNotice = z.infer<typeof displayNotice>;
