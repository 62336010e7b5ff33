import { createHash, timingSafeEqual } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";

const fewestCharacters = 16;

/** @throws ArtificerError `config/invalid` for a token that is missing, or so short that it can be guessed */
export function checkToken(token: string | undefined): string {
  if (token !== undefined && token.trim().length >= fewestCharacters) return token.trim();
  throw new ArtificerError(
    "config/invalid",
    token === undefined || token.trim() === ""
      ? "The kernel server has no token, and does not start without one."
      : `The kernel server's token has fewer than ${fewestCharacters} characters, and could be guessed.`,
    { hint: "Make one with `openssl rand -hex 32`, and give it to the server and to those who use it." },
  );
}

/** Whether a request's `Authorization` bears the token; takes as long for a wrong one as for a right one. */
export function bearsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
