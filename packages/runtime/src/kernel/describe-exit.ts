import { ArtificerError, type KernelExit, type Language } from "@artificer/protocol";

/** Says in words how a kernel's process ended on its own. */
export function describeExit(exit: KernelExit, language: Language, started: boolean): ArtificerError {
  const how = exit.signal === null ? `exited with code ${exit.code ?? "unknown"}` : `was ended by ${exit.signal}`;
  const details = { exitCode: exit.code, signal: exit.signal, limit: exit.limit };
  if (!started) {
    return new ArtificerError("kernel/start-failed", `The ${language} kernel ${how} before it could run a cell.`, {
      details,
      hint: "Run `artificer doctor` to see which interpreter is used and whether it works.",
    });
  }
  if (exit.limit === "memory") {
    return new ArtificerError("cell/memory-limit", `The ${language} kernel went over its memory limit and ${how}.`, {
      details,
    });
  }
  if (exit.limit === "cpu") {
    return new ArtificerError("cell/cpu-limit", `The ${language} kernel used up its processor time and ${how}.`, {
      details,
    });
  }
  return new ArtificerError("kernel/crashed", `The ${language} kernel ${how}.`, { details, hint: crashHint(exit) });
}

function crashHint(exit: KernelExit): string {
  if (exit.signal === "SIGSEGV" || exit.signal === "SIGABRT" || exit.signal === "SIGBUS")
    return "Native code crashed; check the libraries that the cell uses.";
  if (exit.signal === "SIGKILL") return "Something outside ended it: often the system, for want of memory.";
  return "The cell ended its own process, for instance by os._exit.";
}
