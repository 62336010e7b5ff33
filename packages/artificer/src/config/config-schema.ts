import { snapshotFormat } from "@artificer/protocol";
import { z } from "zod";
import { codeExecution } from "./code-execution-schema.js";
import { policySection } from "./policy-schema.js";
import { bytes, seconds } from "./quantities.js";
import { secretSource } from "./secret-source.js";
import { venvSchema } from "./venv-schema.js";

/** The ways to start a kernel. */
export const executorKinds = ["subprocess", "inprocess", "sandbox", "container"] as const;

export type ExecutorKind = (typeof executorKinds)[number];

const text = z.string().min(1);

/** A key that stood in the file itself would travel with it. */
const keyReference = z.string().regex(/^\$\{[^{}]+\}$/, {
  error: `a key is named, and never written out: \${NAME} of a secret or of a variable of the host`,
});

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

/** A URL alone is the short form. */
const storage = z.preprocess(
  (value) => (typeof value === "string" ? { url: value } : value),
  z.strictObject({
    /** `file:DIR`, `postgres://…`, `pglite:DIR`, `redis://…`, `rediss://…` or `memory:`; `${NAME}` is a secret or a variable of the host. */
    url: text,
    /** Whose data, of a database. */
    tenant: text.optional(),
    /** The schema of a database's tables. */
    schema: text.optional(),
    /** What every key begins with, in Redis. */
    prefix: text.optional(),
    /** False refuses a database whose tables are missing or old, instead of making them. */
    migrate: z.boolean().optional(),
  }),
);

/** A container that is there already has been given its image, its network and its bounds by whoever started it. */
function checkContainer(container: Record<string, unknown>, context: z.RefinementCtx): void {
  const { url, token, network, ...others } = container;
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (url === undefined && token !== undefined) refuse("token", "token goes with url alone");
  if (url === undefined) return;
  if (token === undefined) refuse("url", "url needs token beside it: the name of the secret that the server was given");
  const set = Object.keys(others).filter((name) => others[name] !== undefined);
  if (network !== "none") set.push("network");
  for (const name of set)
    refuse(name, `${name} is settled where the container at url was started, and can't be set here`);
}

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
      /** Of a kernel server in a container that is there already; then `token` alone goes with it. */
      url: z.string().min(1).optional(),
      /** The secret, by its name under `secrets`, that the server was given. */
      token: z.string().min(1).optional(),
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
    .superRefine(checkContainer)
    .prefault({}),
  code_execution: codeExecution,
  /** What is kept of variables, and under which key. */
  snapshots: z
    .strictObject({
      /** Signs them: the same for all bases that share a storage. Of several the first signs, and the others' signatures are accepted. */
      key: z
        .preprocess((value) => (typeof value === "string" ? [value] : value), z.array(keyReference).min(1))
        .optional(),
      /** Seconds from the end of a cell to the save. */
      debounce: z.number().min(0).max(3600).optional(),
      /** Largest variable saved. */
      max_variable: bytes.optional(),
      /** All variables together. */
      max_total: bytes.optional(),
      /** `data`: plain data alone is kept, and nothing is unpickled. */
      format: snapshotFormat.optional(),
    })
    .prefault({}),
  /** What is kept as artifacts because outcomes and results can't carry it; what was saved by name is never swept. */
  outputs: z
    .strictObject({
      /** Days that it is kept. */
      max_age: z.number().positive().max(36_500).default(30),
      /** All of it together; beyond it the oldest go first. */
      max_total: bytes.default(2 * 2 ** 30),
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
  embeddings: z
    .strictObject({
      engine: z.enum(["local", "none"]).default("local"),
      /** Skills, or tools, up to which their vectors are held in memory; beyond, a storage that can ranks them. */
      max_in_memory: z.int().min(0).max(10_000_000).optional(),
    })
    .prefault({}),
  /** What tool calls may do, and who is asked. */
  policy: policySection,
  /** Where skills, artifacts and all else is kept. Default: the base folder. */
  storage: storage.optional(),
  /** Secrets by name, for definitions of tools. */
  secrets: z.record(text, secretSource).default({}),
  /** Toolkits of the host that are switched on. */
  toolkits: z.strictObject({ workspace: workspace.optional(), web: web.optional() }).prefault({}),
});

export type Config = z.output<typeof configSchema>;
