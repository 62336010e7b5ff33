import { ArtificerError } from "@artificer/protocol";

/** The oldest Python that the kernel runs on. */
export const minimumVersion = [3, 9] as const;

/** A version as one asks for it: `3`, `3.12`, `3.12.1`. */
export const versionPattern = /^\d{1,3}(\.\d{1,3}){0,2}$/;

/** Whether a version is what was asked for: `3.12` is met by 3.12.1, not by 3.1 or 3.120. */
export function meetsVersion(version: string, wanted: string): boolean {
  return version === wanted || version.startsWith(`${wanted}.`);
}

/** Whether the kernel runs on it; what is not said, in `3`, stands in no way. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = Number.POSITIVE_INFINITY] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = minimumVersion;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** @throws ArtificerError `config/invalid`, `kernel/interpreter-too-old` */
export function requireVersion(wanted: string): void {
  if (!versionPattern.test(wanted)) {
    throw new ArtificerError("config/invalid", `${JSON.stringify(wanted)} is no version of Python.`, {
      details: { wanted },
      hint: 'Write it as "3.12" or "3.12.1", in quotes in YAML: without them 3.10 is the number 3.1.',
    });
  }
  if (isNewEnough(wanted)) return;
  throw new ArtificerError(
    "kernel/interpreter-too-old",
    `Python ${wanted} is asked for; cells need ${minimumVersion.join(".")} or newer.`,
    { details: { wanted, minimum: minimumVersion.join(".") }, hint: "Ask for a newer version." },
  );
}
