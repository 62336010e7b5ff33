import { ArtificerError, keyProblem, type StorageKey } from "@artificer/protocol";

/** Where artifacts live among the blobs. */
export const artifactPrefix = "artifacts/";

/**
 * The key of an artifact's blob.
 *
 * @throws ArtificerError `artifact/invalid-name` with a name that would do.
 */
export function artifactKey(name: string): StorageKey {
  const problem = typeof name === "string" ? keyProblem(name) : "it is no string";
  const key = `${artifactPrefix}${name}`;
  const whole = problem ?? keyProblem(key);
  if (whole === undefined) return key.normalize("NFC");
  const suggestion = possibleName(String(name));
  throw new ArtificerError("artifact/invalid-name", `${JSON.stringify(name)} can't name an artifact: ${whole}.`, {
    details: { name: String(name), problem: whole, suggestion },
    hint: `Names are relative, with / between their parts, e.g. ${JSON.stringify(suggestion ?? "reports/may.json")}.`,
  });
}

/** The nearest name that is allowed; undefined when nothing is left of it. */
function possibleName(name: string): string | undefined {
  const parts = name
    .replace(/[\p{Cc}\p{Cs}]/gu, "")
    .split(/[/\\]+/)
    .map((part) => part.trim().replace(/^\.+/, "").trim())
    .filter((part) => part !== "");
  const cleaned = parts.join("/");
  return keyProblem(artifactPrefix + cleaned) === undefined && cleaned !== "" ? cleaned : undefined;
}
