import { ArtificerError, type ErrorCode } from "@artificer/protocol";

const lastLines = 15;

/** What came of a program, told by its last words. */
export interface FailedOutput {
  output: string;
  /** Instead of the line that says why. */
  why?: string | undefined;
}

/** Packages that could not be installed; where the disk is to blame, that is told by its code. */
export function installFailed(specs: readonly string[], { output, why }: FailedOutput): ArtificerError {
  const { told, tail } = lastWords(output);
  return new ArtificerError(
    diskTrouble(output) ?? "dep/install-failed",
    `Installing ${specs.join(", ") || "packages"} failed: ${why ?? told}.`.replace(/\.\.$/, "."),
    {
      details: { specs: [...specs], output: tail },
      hint: `Nothing was changed. The installer's last words:\n${tail}`,
    },
  );
}

/** The line of an output that says what went wrong, and its end. */
export function lastWords(output: string): { told: string; tail: string } {
  const lines = output.trimEnd().split("\n").slice(-lastLines);
  const error = lines.findLast((line) => line.startsWith("ERROR:") || line.startsWith("error:"));
  return { told: error ?? lines.at(-1) ?? "", tail: lines.join("\n") };
}

/** What the system itself says of a disk that takes no more. */
export function diskTrouble(output: string): ErrorCode | undefined {
  if (/\[Errno 28\]|\(os error 28\)|No space left on device/.test(output)) return "storage/full";
  if (/\[Errno 30\]|\(os error 30\)|Read-only file system/.test(output)) return "storage/read-only";
  return undefined;
}
