import { ArtificerError } from "@artificer/protocol";
import type { FetchLike } from "@modelcontextprotocol/client";

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/**
 * `fetch` that follows redirects within one origin alone: the headers of a server, which may hold secrets, go to that server and nobody else.
 *
 * @throws ArtificerError `tool/denied` for a redirect that leads elsewhere
 */
export function createSameOriginFetch(fetchWith: FetchLike = fetch): FetchLike {
  return async (input, init) => {
    let url = new URL(input);
    let request: RequestInit = { ...init, redirect: "manual" };
    for (let hop = 0; ; hop++) {
      const response = await fetchWith(url, request);
      const location = redirects.has(response.status) ? response.headers.get("location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (next === undefined || next.origin !== url.origin || hop >= maxRedirects) throw denied(url, next);
      const asGet = response.status === 303 || (response.status <= 302 && request.method === "POST");
      if (asGet) request = { ...request, method: "GET", body: null };
      url = next;
    }
  };
}

function denied(from: URL, to: URL | undefined): ArtificerError {
  const where = to === undefined ? "what is no address" : to.origin;
  return new ArtificerError(
    "tool/denied",
    `The server at ${from.origin} redirects to ${where}, which is not followed.`,
    {
      details: { from: from.origin, to: to?.origin },
      hint: "Put the server's real address into its definition.",
    },
  );
}
