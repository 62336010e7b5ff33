import { ArtificerError } from "@artificer/protocol";
import type { FetchLike } from "@modelcontextprotocol/client";

const maxRedirects = 5;

/**
 * `fetch` that follows redirects within the server's own origin and no others: what a request carries (its headers hold secrets) is meant for
 * the server that the definition names, and an address that a server chooses may lie in the host's own network.
 *
 * @throws ArtificerError `tool/denied`
 */
export const fetchWithinOrigin: FetchLike = async (url, init) => {
  let at = new URL(String(url));
  for (let followed = 0; ; followed++) {
    const response = await fetch(at.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
    if (next?.origin !== at.origin) throw refused(at, next, "leads to another place");
    // The other kinds would turn a message into a question without one.
    const keeps = response.status === 307 || response.status === 308 || (init?.method ?? "GET") === "GET";
    if (!keeps) throw refused(at, next, `has the status ${response.status}, which does not carry a message on`);
    if (followed === maxRedirects) throw refused(at, next, `is one of more than ${maxRedirects}`);
    at = next;
  }
};

function refused(from: URL, to: URL | undefined, why: string): ArtificerError {
  const shown = to === undefined ? "" : ` to ${to.origin}${to.pathname}`;
  return new ArtificerError("tool/denied", `The server at ${from.origin} redirects${shown}; the redirect ${why}.`, {
    details: { from: from.origin, ...(to === undefined ? {} : { to: to.origin }) },
    hint: "Set `url` in the server's definition to the place where it is now, if you trust that.",
  });
}
