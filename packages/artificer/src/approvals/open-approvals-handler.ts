import { bearsToken } from "@artificer/executors/kernel-server";
import { ArtificerError, toArtificerError } from "@artificer/protocol";
import type { ApprovalDecision, ApprovalRequest, Approvals } from "@artificer/runtime";

export interface ApprovalsHandlerOptions {
  /** What every request has to carry as `Authorization: Bearer …`; at least 16 characters. */
  token: string;
}

/** Answers HTTP requests about what waits for a person, as Web requests and responses: any server can mount it. */
export interface ApprovalsHandler {
  fetch(request: Request): Promise<Response>;
  /** Calls no longer wait for this way of deciding. */
  close(): void;
}

const shortestToken = 16;
const maxBodyBytes = 1 << 20;
const maxWaitMs = 60_000;
const statusOf: Readonly<Record<string, number>> = { "approval/not-pending": 409, "approval/failed": 500 };

/**
 * Lets people decide over HTTP. While it is open, calls that are asked about wait for a decision. Mounted at any path:
 *
 * | request | answer |
 * |---|---|
 * | `GET …/approvals` | what waits, oldest first; `?wait_ms=N` waits for the first, 60,000 at most |
 * | `POST …/approvals/ID`, a decision as JSON | 204; 409 when it is settled already, 400 for what is no decision: then it waits on |
 *
 * Without the token everything is answered with 401 and nothing else.
 *
 * @throws ArtificerError `usage/invalid-argument` for a token that is missing or short.
 */
export function openApprovalsHandler(approvals: Approvals, { token }: ApprovalsHandlerOptions): ApprovalsHandler {
  if (typeof token !== "string" || token.length < shortestToken) {
    throw new ArtificerError("usage/invalid-argument", `token has to have at least ${shortestToken} characters.`, {
      hint: "Make one: node -p \"crypto.randomBytes(32).toString('hex')\"",
    });
  }
  const arrived = new Set<() => void>();
  const stop = approvals.onRequest(() => {
    for (const tell of arrived) tell();
  });

  const list = async (url: URL, signal: AbortSignal): Promise<Response> => {
    const waitMs = Math.min(Number(url.searchParams.get("wait_ms") ?? 0) || 0, maxWaitMs);
    if (approvals.list().length === 0 && waitMs > 0) await firstOf(arrived, waitMs, signal);
    return json(200, { approvals: approvals.list().map(shown) });
  };
  const decide = async (id: string, request: Request): Promise<Response> => {
    approvals.decide(id, (await bodyOf(request)) as ApprovalDecision);
    return new Response(null, { status: 204 });
  };

  return {
    async fetch(request) {
      if (!bearsToken(request.headers.get("authorization") ?? undefined, token))
        return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
      const url = new URL(request.url);
      const [, id] = /\/approvals(?:\/([^/]+))?\/?$/.exec(url.pathname) ?? [];
      try {
        if (request.method === "GET" && id === undefined && /\/approvals\/?$/.test(url.pathname))
          return await list(url, request.signal);
        if (request.method === "POST" && id !== undefined) return await decide(decodeURIComponent(id), request);
        return json(404, { error: { message: "There are GET …/approvals and POST …/approvals/ID." } });
      } catch (thrown) {
        const { code, message, hint } = toArtificerError(thrown, "approval/invalid-decision");
        return json(statusOf[code] ?? 400, { error: { code, message, hint } });
      }
    },
    close: stop,
  };
}

function firstOf(arrived: Set<() => void>, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      arrived.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    arrived.add(done);
    signal.addEventListener("abort", done);
  });
}

async function bodyOf(request: Request): Promise<unknown> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxBodyBytes)
      throw new ArtificerError("approval/invalid-decision", `A decision takes at most ${maxBodyBytes} characters.`);
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    throw new ArtificerError("approval/invalid-decision", "A decision is sent as JSON, and this is none.", {
      hint: '{"decision": "allow"} is one.',
    });
  }
}

function shown({ requestedAt, ...request }: ApprovalRequest): object {
  return { ...request, requestedAt: requestedAt.toISOString() };
}

function json(status: number, body: object): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
