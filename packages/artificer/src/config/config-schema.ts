import { z } from "zod";

const seconds = z.number().positive().max(86_400);
const bytes = z
  .union([
    z.int().positive(),
    z
      .string()
      .regex(/^\d+(\.\d+)?\s*(B|kB|KB|MB|GB|KiB|MiB|GiB)$/, "write a number of bytes, or such as 512MB or 2GiB"),
  ])
  .transform((size) => (typeof size === "number" ? size : parseSize(size)));

/** Written in capitals or with spaces around it, a word means the same. */
const plainWord = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value);

const text = z.string().min(1);

/** Where a secret is kept. Nothing but its name is ever shown. */
const secretSource = z.union([
  /** A variable of the host. */
  z.strictObject({ env: text }),
  /** A file, relative to the base folder; a newline at its end does not count. */
  z.strictObject({ file: text }),
  /** A program and its arguments, whose output it is. */
  z.strictObject({ command: z.array(text).min(1) }),
]);
export type SecretSource = z.output<typeof secretSource>;

const workspace = z.strictObject({
  /** The folder that the tools are kept to, relative to the base folder. */
  root: text,
  /** No write_file, patch and terminal. */
  read_only: z.boolean().default(false),
  terminal: z.boolean().default(true),
  /** Variables that commands see. */
  env: z.record(z.string(), z.string()).default({}),
  /** Names of the host's variables that commands see too. */
  pass_env: z.array(text).default([]),
  /** Seconds of a command that says nothing else. */
  timeout: seconds.optional(),
});

const web = z.strictObject({
  search: z
    .discriminatedUnion("provider", [
      z.strictObject({ provider: z.literal("searxng"), url: z.url({ protocol: /^https?$/ }) }),
      z.strictObject({ provider: z.literal("brave"), secret: text, url: z.url({ protocol: /^https?$/ }).optional() }),
      z.strictObject({ provider: z.literal("tavily"), secret: text, url: z.url({ protocol: /^https?$/ }).optional() }),
    ])
    .optional(),
  /** Hosts and address ranges that are no public ones and may be read all the same. */
  allow: z.array(text).default([]),
});

/** `config.yaml` of a base folder. Every key is optional; an unknown one is refused. */
export const configSchema = z.strictObject({
  /** How kernels are started. */
  executor: z.enum(["subprocess"]).default("subprocess"),
  code_execution: z
    .strictObject({
      /** Seconds a cell may run; waiting for tools does not count. */
      timeout: seconds.default(300),
      /** Seconds a cell may wait for tools and people. */
      max_waiting: seconds.default(600),
      /** Seconds from an interrupt to the kill of a kernel that ignores it. */
      grace: seconds.default(2),
      /** Tool calls a cell may make. */
      max_tool_calls: z.int().positive().default(50),
      /** Bytes of stdout kept in the outcome; the whole is kept as an artifact. */
      max_stdout: bytes.default(50_000),
      max_stderr: bytes.default(10_000),
      /** Bytes of a value, encoded, above which the outcome carries a reference. */
      max_inline: bytes.default(2 ** 20),
      /** Bytes of a tool's result, encoded, as it goes to a cell. */
      max_result: bytes.default(32 * 2 ** 20),
      /** What becomes of a larger result: an error in the cell, or a reference to an artifact that keeps it. */
      large_results: z.enum(["refuse", "keep"]).default("refuse"),
      /** Whether secrets are taken out of what is stored and shown. */
      redaction: z.enum(["on", "off"]).default("on"),
      /** Memory of a kernel. */
      memory: bytes.optional(),
      /** Processor time of a kernel, in seconds. */
      cpu: seconds.optional(),
      /** Processes and threads of the user that the kernel runs as. */
      processes: z.int().min(1).optional(),
      /** Files and sockets that a kernel may have open; it needs some itself. */
      open_files: z.int().min(32).optional(),
      /** Size of a file that a kernel writes. */
      file_size: bytes.optional(),
      /** `project`: cells run in the session's folder with its virtual environment. `strict`: in a folder of their own. */
      mode: z.preprocess(plainWord, z.enum(["project", "strict"])).default("project"),
      /** Seconds after which an idle kernel is ended. */
      kernel_idle_timeout: seconds.default(1800),
      /** Kernels kept at once by all sessions of a process. */
      max_session_kernels: z.int().positive().default(4),
      /** Kernels started beforehand. Default: one for `artificer mcp` and `artificer repl`, none elsewhere. */
      warm_kernels: z.int().min(0).max(64).optional(),
    })
    .prefault({}),
  python: z.strictObject({ interpreter: z.string().min(1).optional() }).prefault({}),
  terminal: z
    .strictObject({
      /** Variables of the host's environment that cells may see besides the harmless ones. */
      env_passthrough: z.array(z.string()).default([]),
      /** Pass HTTP_PROXY and its kind. */
      pass_proxies: z.boolean().default(false),
      /** Pass SSL_CERT_FILE and its kind. */
      pass_certificates: z.boolean().default(false),
    })
    .prefault({}),
  embeddings: z.strictObject({ engine: z.enum(["local", "none"]).default("local") }).prefault({}),
  /** Secrets by name, for definitions of tools. */
  secrets: z.record(text, secretSource).default({}),
  /** Toolkits of the host that are switched on. */
  toolkits: z.strictObject({ workspace: workspace.optional(), web: web.optional() }).prefault({}),
});

export type Config = z.output<typeof configSchema>;

const units: Record<string, number> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

function parseSize(size: string): number {
  const [, count, unit] = /^([\d.]+)\s*(\w+)$/.exec(size) ?? [];
  return Math.round(Number(count) * (units[unit ?? "B"] ?? 1));
}
