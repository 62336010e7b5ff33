import { ArtificerError } from "@artificer/protocol";

/** What a session that was closed answers to everything. */
export function closedSession(): ArtificerError {
  return new ArtificerError("session/closed", "The session is closed; it runs no more cells.", {
    hint: "Open another session on the same base.",
  });
}
