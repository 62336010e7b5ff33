import { ArtificerError } from "@artificer/protocol";
import type { Agent } from "undici";
import { orCancelled } from "../remote/cancelled.js";
import type { Redactor } from "../remote/redactor.js";
import { type ResolveSecret, requireSecret, type SecretValue } from "../remote/secret-value.js";
import type { HttpRequest } from "./build-request.js";
import { display, sendRequest } from "./http-client.js";
import type { HttpAuth, HttpDefinition } from "./http-definition.js";

/** Puts credentials onto requests. They are resolved anew for every call, so that a changed secret counts at once. */
export interface Credentials {
  /**
   * @throws ArtificerError `tool/secret-missing`, or whatever became of asking for a token.
   */
  prepare(signal: AbortSignal): Promise<Apply>;
  /**
   * Forgets the tokens that a request was sent with and the API has refused; ones that other calls have got meanwhile stay. True when
   * there were any, so that another try has a point.
   */
  forget(refused: Apply): boolean;
}

/** What credentials draw on. */
export interface CredentialContext {
  agent: Agent;
  redactor: Redactor;
  resolveSecret: ResolveSecret | undefined;
  /** The API's own host, to which alone credentials go; known once its operations are read. */
  host(): string | undefined;
}

/** Puts one call's credentials onto a request. */
export type Apply = (request: HttpRequest) => void;
type OAuth = HttpAuth & { type: "oauth2-client-credentials" };

/** A token is asked for anew this long before it runs out. */
const marginMs = 30_000;
const tokenMaxBytes = 1024 * 1024;

export function createCredentials(definition: HttpDefinition, context: CredentialContext): Credentials {
  const auths = definition.auth === undefined ? [] : [definition.auth].flat();
  const tokens = new Map<OAuth, { token: Promise<string>; until: number; issued?: string }>();
  const sentWith = new WeakMap<Apply, Map<OAuth, string>>();
  const secret = async (name: string, field: string, host = context.host()) => {
    const destination = { toolkit: definition.name, ...(host === undefined ? {} : { host }) };
    const value = await requireSecret(name, context.resolveSecret, { field, destination });
    context.redactor.add(value);
    return value;
  };
  const resolve = (value: SecretValue, field: string, host?: string) =>
    typeof value === "string" ? Promise.resolve(value) : secret(value.secret, field, host);

  const token = async (auth: OAuth, signal: AbortSignal): Promise<string> => {
    const known = tokens.get(auth);
    if (known !== undefined && known.until > Date.now()) return orCancelled(known.token, signal, "The request");
    const entry: { token: Promise<string>; until: number; issued?: string } = {
      token: Promise.resolve(""),
      until: Number.POSITIVE_INFINITY,
    };
    tokens.set(auth, entry);
    entry.token = (async () => {
      const { host } = new URL(auth.tokenUrl);
      const clientId = await resolve(auth.clientId, "auth.clientId", host);
      const clientSecret = await secret(auth.secret, "auth.secret", host);
      // Others wait for it too: it must not end with the call that happened to need it first.
      const bound = AbortSignal.timeout(definition.timeoutMs);
      const issued = await requestToken(auth, { clientId, clientSecret }, context, definition, bound);
      context.redactor.add(issued.token);
      entry.issued = issued.token;
      entry.until = Date.now() + issued.lifeMs - Math.min(marginMs, issued.lifeMs / 2);
      return issued.token;
    })();
    try {
      return await orCancelled(entry.token, signal, "The request");
    } catch (error) {
      if (!signal.aborted && tokens.get(auth) === entry) tokens.delete(auth);
      throw error;
    }
  };

  const prepareOne = async (auth: HttpAuth, used: Map<OAuth, string>, signal: AbortSignal): Promise<Apply> => {
    switch (auth.type) {
      case "bearer":
        return header("authorization", `Bearer ${await secret(auth.secret, "auth.secret")}`);
      case "oauth2-client-credentials":
        used.set(auth, await token(auth, signal));
        return header("authorization", `Bearer ${used.get(auth)}`);
      case "basic": {
        const username = await resolve(auth.username, "auth.username");
        const pair = Buffer.from(`${username}:${await secret(auth.secret, "auth.secret")}`).toString("base64");
        context.redactor.add(pair);
        return header("authorization", `Basic ${pair}`);
      }
      case "api-key": {
        const key = auth.prefix + (await secret(auth.secret, "auth.secret"));
        if (auth.in === "header") return header(auth.name.toLowerCase(), key);
        if (auth.in === "query") return ({ url }) => setQueryPair(url, auth.name, key);
        return ({ headers }) => {
          const own = `${auth.name}=${encodeURIComponent(key)}`;
          headers.cookie = headers.cookie === undefined ? own : `${headers.cookie}; ${own}`;
        };
      }
    }
  };

  return {
    async prepare(signal) {
      const used = new Map<OAuth, string>();
      const applies = await Promise.all(auths.map((auth) => prepareOne(auth, used, signal)));
      for (const [name, value] of Object.entries(definition.headers)) {
        applies.push(header(name.toLowerCase(), await resolve(value, `headers.${name}`)));
      }
      const all: Apply = (request) => {
        for (const apply of applies) apply(request);
      };
      sentWith.set(all, used);
      return all;
    },
    forget(refused) {
      const used = sentWith.get(refused) ?? new Map<OAuth, string>();
      for (const [auth, refusedToken] of used) {
        const entry = tokens.get(auth);
        if (entry?.issued === refusedToken) tokens.delete(auth);
      }
      return used.size > 0;
    },
  };
}

/** Leaves the other pairs as they are written: `URLSearchParams` would write all of them anew, in a style that is not theirs. */
function setQueryPair(url: URL, name: string, value: string): void {
  const others = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && new URLSearchParams(pair).get(name) === null);
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&");
}

function header(name: string, value: string): Apply {
  return ({ headers }) => {
    headers[name] = value;
  };
}

async function requestToken(
  auth: OAuth,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  { agent, redactor }: CredentialContext,
  { maxRedirects }: HttpDefinition,
  signal: AbortSignal,
): Promise<{ token: string; lifeMs: number }> {
  const fields = new URLSearchParams({ grant_type: "client_credentials" });
  if (auth.scopes.length > 0) fields.set("scope", auth.scopes.join(" "));
  if (auth.audience !== undefined) fields.set("audience", auth.audience);
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  };
  let authorize: Apply | undefined;
  if (auth.send === "body") {
    fields.set("client_id", clientId);
    fields.set("client_secret", clientSecret);
  } else {
    const pair = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");
    redactor.add(pair);
    authorize = header("authorization", `Basic ${pair}`);
  }
  const url = new URL(auth.tokenUrl);
  const body = { content: fields.toString(), contentType: undefined };
  // A body with a secret in it must not follow a redirect.
  const follow = auth.send === "body" ? 0 : maxRedirects;
  const response = await sendRequest(
    agent,
    { method: "POST", url, headers, body },
    { maxBytes: tokenMaxBytes, maxRedirects: follow, authorize, signal },
  );
  const answer = parseToken(response.body);
  if (response.status === 200 && answer !== undefined) return answer;
  throw new ArtificerError("tool/http-status", `${display(url)} gave no token: it answered ${response.status}.`, {
    details: {
      status: response.status,
      url: display(url),
      body: Buffer.from(response.body).toString("utf8").slice(0, 500),
    },
    hint: "Check clientId, the secret and the scopes in the definition.",
  });
}

function parseToken(body: Uint8Array): { token: string; lifeMs: number } | undefined {
  try {
    const json = JSON.parse(Buffer.from(body).toString("utf8")) as { access_token?: unknown; expires_in?: unknown };
    if (typeof json.access_token !== "string" || json.access_token === "") return undefined;
    const seconds = Number(json.expires_in ?? 300);
    return { token: json.access_token, lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 300_000 };
  } catch {
    return undefined;
  }
}
