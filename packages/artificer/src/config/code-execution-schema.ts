import { z } from "zod";
import { bytes, seconds } from "./quantities.js";

/** Written in capitals or with spaces around it, a word means the same. */
const plainWord = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value);

/** `code_execution` of config.yaml: how cells run and what bounds them. */
export const codeExecution = z
  .strictObject({
    /** Seconds a cell may run; waiting for tools does not count. */
    timeout: seconds.default(300),
    /** Seconds a cell may wait for tools and people. */
    max_waiting: seconds.default(600),
    /** Seconds a cell may wait for the cells before it. */
    max_queue: seconds.optional(),
    /** Seconds from an interrupt to the kill of a kernel that ignores it. */
    grace: seconds.default(2),
    /** Tool calls a cell may make. */
    max_tool_calls: z.int().positive().default(50),
    /** Bytes of stdout kept in the outcome; the whole is kept as an artifact. */
    max_stdout: bytes.default(50_000),
    max_stderr: bytes.default(10_000),
    /** False closes the shorthand that runs a shell in a cell: `!`, `%%bash` and their like. No security boundary. */
    allow_shell: z.boolean().default(true),
    /** Reads TypeScript cells for errors of type before they run. */
    check: z.boolean().default(false),
    /** Keeps the variables for a later session of the same id; absent: only when a session is opened with an id. */
    snapshot: z.boolean().optional(),
    /** Bytes of a value, encoded, above which the outcome carries a reference. */
    max_inline: bytes.default(2 ** 20),
    /** Bytes of a tool's result, encoded, as it goes to a cell. */
    max_result: bytes.default(32 * 2 ** 20),
    /** Bytes, encoded, of all the values together that cells share. */
    max_shared: bytes.default(256 * 2 ** 20),
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
    /** Code that is run in every kernel before its first cell, after variables were restored. */
    startup_code: z
      .strictObject({ python: z.string().min(1).optional(), typescript: z.string().min(1).optional() })
      .optional(),
    /** Kernels started beforehand. Default: one for `artificer mcp` and `artificer repl`, none elsewhere. */
    warm_kernels: z.int().min(0).max(64).optional(),
  })
  .prefault({});
