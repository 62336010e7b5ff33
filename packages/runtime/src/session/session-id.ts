import { randomUUID } from "node:crypto";
import { ArtificerError, keyProblem } from "@artificer/protocol";

/**
 * The id that a session is kept under: the one given, or a random one. It is one segment of a key, so that what is kept of one
 * session never lies among that of another.
 *
 * @throws ArtificerError `usage/invalid-argument`
 */
export function sessionId(given: string | undefined): string {
  if (given === undefined) return randomUUID();
  const problem = String(given).includes("/") ? "it has a slash" : keyProblem(given);
  if (problem === undefined) return given;
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(given)} can't be a session's id: ${problem}.`, {
    details: { id: given, problem },
    hint: "Use a name such as trip-planning or user-7.chat-3.",
  });
}
