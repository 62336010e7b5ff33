import { z } from "zod";
import { codeExecution } from "./code-execution-schema.js";
import { bytes, seconds } from "./quantities.js";
import { venvSchema } from "./venv-schema.js";

/** The ways to start a kernel. */
export const executorKinds = ["subprocess", "sandbox", "container"] as const;

export type ExecutorKind = (typeof executorKinds)[number];

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

const sandboxWorkspace = z.strictObject({
  /** The one folder of the host that cells see; relative to the base folder. */
  path: z.string().min(1),
  mode: z.enum(["ro", "rw"]).default("ro"),
});

/** `config.yaml` of a base folder. Every key is optional; an unknown one is refused. */
export const configSchema = z.strictObject({
  /** How kernels are started. */
  executor: z.enum(executorKinds).default("subprocess"),
  /** Where `executor: sandbox` holds. */
  sandbox: z
    .strictObject({
      workspace: sandboxWorkspace.optional(),
      network: z.enum(["none", "host"]).default("none"),
      /** Bytes of the private /tmp. */
      tmp: bytes.optional(),
      /** Processes and threads of a kernel. */
      processes: z.int().positive().optional(),
    })
    .prefault({}),
  /** Where `executor: container` holds. */
  container: z
    .strictObject({
      /** `podman`, `docker`, or a path. Default: whichever answers. */
      engine: z.string().min(1).optional(),
      image: z.string().min(1).optional(),
      workspace: sandboxWorkspace.optional(),
      /** The engine's name of a network. */
      network: z.string().min(1).default("none"),
      tmp: bytes.optional(),
      processes: z.int().positive().optional(),
      cpus: z.number().positive().optional(),
      /** Who kernels are inside, `uid:gid`. */
      user: z.string().min(1).optional(),
    })
    .prefault({}),
  code_execution: codeExecution,
  /** Bounds on what is kept of variables. */
  snapshots: z
    .strictObject({
      /** Seconds from the end of a cell to the save. */
      debounce: z.number().min(0).max(3600).optional(),
      /** Largest variable saved. */
      max_variable: bytes.optional(),
      /** All variables together. */
      max_total: bytes.optional(),
    })
    .prefault({}),
  python: z
    .strictObject({
      interpreter: z.string().min(1).optional(),
      /** What runs Python cells: the kernel alone, IPython around it, or IPython where the interpreter has it. */
      engine: z.enum(["own", "ipython", "auto"]).default("own"),
      /** A clean virtual environment that cells have to themselves. */
      venv: venvSchema.optional(),
    })
    .prefault({}),
  deps: z
    .strictObject({
      /** False locks the packages to those of requirements.txt. */
      allow_runtime: z.boolean().default(true),
      /** Installs the packages of requirements.txt before the first cell. */
      sync_on_start: z.boolean().default(false),
      /** More arguments for pip or uv, such as where packages come from. */
      install_args: z.array(z.string()).default([]),
    })
    .prefault({}),
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
