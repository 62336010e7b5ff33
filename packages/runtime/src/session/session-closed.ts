import { ArtificerError } from "@artificer/protocol";

/** What a closed session answers to whatever is asked of it. */
export function sessionClosed(): ArtificerError {
  return new ArtificerError("session/closed", "The session is closed; it runs no more cells.", {
    hint: "Open another session on the same base.",
  });
}
