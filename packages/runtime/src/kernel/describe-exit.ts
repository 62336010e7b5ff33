import { ArtificerError, type KernelExit, type Language } from "@artificer/protocol";
import { limitHint } from "../cell/limit-hint.js";

const limitEnd = {
  memory: { code: "cell/memory-limit", did: "took more memory than it may, or than there was," },
  cpu: { code: "cell/cpu-limit", did: "used up its processor time" },
  processes: { code: "cell/process-limit", did: "had more processes than it may" },
  "file-size": { code: "cell/file-size-limit", did: "wrote a file larger than it may" },
  "unread-output": {
    code: "cell/unread-output",
    did: "printed or sent more than its kernel server may keep for this host",
  },
} as const;

/** What Node asks of the system at its start, before any code runs. */
const nodeAddressBytes = 1024 << 20;

/** Says in words how a kernel's process ended on its own. `said`: what it wrote, when it had not started yet. */
export function describeExit(
  exit: KernelExit,
  language: Language,
  { said, memoryBytes }: { said: string | undefined; memoryBytes: number | undefined },
): ArtificerError {
  const how = exit.signal === null ? `exited with code ${exit.code ?? "unknown"}` : `was ended by ${exit.signal}`;
  const details = { exitCode: exit.code, signal: exit.signal, limit: exit.limit };
  if (said !== undefined) {
    return new ArtificerError(
      "kernel/start-failed",
      `The ${language} kernel ${how} before it could run a cell${lastWords(said)}.`,
      {
        details: { ...details, ...(said === "" ? {} : { output: said }) },
        hint:
          language === "typescript" && memoryBytes !== undefined && memoryBytes < nodeAddressBytes
            ? `Node takes about ${nodeAddressBytes >> 20} MB of address space, however little it uses: raise code_execution.memory.`
            : "Run `artificer doctor` to see which interpreter is used and whether it works.",
      },
    );
  }
  const limit = exit.limit === undefined ? undefined : limitEnd[exit.limit];
  if (limit !== undefined) {
    const { code, did } = limit;
    return new ArtificerError(code, `The ${language} kernel ${did} and ${how}.`, { details, ...limitHint(code) });
  }
  return new ArtificerError("kernel/crashed", `The ${language} kernel ${how}.`, {
    details,
    hint: crashHint(exit, language),
  });
}

function crashHint(exit: KernelExit, language: Language): string {
  if (exit.signal === "SIGABRT" && language === "typescript")
    return "Node ended itself, as a rule for want of memory: stderr tells. Work on smaller pieces, or raise code_execution.memory.";
  if (exit.signal === "SIGSEGV" || exit.signal === "SIGABRT" || exit.signal === "SIGBUS")
    return "Native code crashed; check the libraries that the cell uses.";
  if (exit.signal === "SIGKILL") return "Something outside ended it: often the system, for want of memory.";
  return "The cell ended its own process, for instance by os._exit.";
}

/** The last line of it, to stand behind a sentence. */
export function lastWords(said: string): string {
  const line = said.split("\n").at(-1)?.trim().slice(0, 200);
  return line === undefined || line === "" ? "" : `, saying ${JSON.stringify(line)}`;
}
