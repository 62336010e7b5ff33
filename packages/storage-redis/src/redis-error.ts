import {
  ArtificerError,
  readAndRepeat as again,
  lineProblem,
  type ServerErrorMeaning as Meaning,
  serverError,
} from "@artificer/protocol";

const unreachable: Meaning = {
  code: "storage/unavailable",
  hint: `See that the server runs and can be reached; the connection is made anew by itself. ${again}`,
};
const untrusted: Meaning = {
  code: "storage/unavailable",
  hint: "The server's certificate is not trusted: name its authority's file in NODE_EXTRA_CA_CERTS, or give a `client` with `socket: { tls: true, ca }`.",
};
const credentials: Meaning = {
  code: "storage/unavailable",
  hint: "Mend the user and password in the URL: redis://USER:PASSWORD@HOST:PORT.",
};
const later: Meaning = { code: "storage/unavailable", hint: `The server is not ready: try later. ${again}` };

/** By the first word of what the server said. */
const meanings: Readonly<Record<string, Meaning>> = {
  WRONGPASS: credentials,
  NOAUTH: credentials,
  OOM: {
    code: "storage/full",
    hint: "Raise the server's `maxmemory`, or delete something, and do it again: nothing was changed.",
  },
  READONLY: { code: "storage/read-only", hint: "Connect to the primary server: this one is a replica." },
  MISCONF: {
    code: "storage/read-only",
    hint: "The server can't write its data to disk and refuses changes: see its log and its disk.",
  },
  LOADING: later,
  BUSY: later,
  TRYAGAIN: later,
  CLUSTERDOWN: later,
  MASTERDOWN: later,
  MOVED: {
    code: "storage/unavailable",
    hint: "This server is a member of a cluster: give `client`, made with createCluster and connected.",
  },
};

/** The client's own errors, by class or message. */
const lostConnection =
  /^(SocketClosedUnexpectedlyError|SocketTimeoutError|ConnectionTimeoutError|ClientOfflineError|ClientClosedError|DisconnectsClientError|TimeoutError|ReconnectStrategyError|AbortError)$/;

const fullQueue = "The queue is full";

/** What the client throws when more calls wait than may. */
export function queueIsFull(): Error {
  return new Error(fullQueue);
}

/** What the server or the client said, as an error of ours; what is neither's comes back as it is. */
export function redisError(error: unknown, doing: "read" | "write", name: string): unknown {
  if (!(error instanceof Error) || ArtificerError.is(error)) return error;
  const meaning = meaningOf(error, doing);
  if (meaning === undefined) return error;
  return serverError(error, meaning, { doing, name, reason: reasonOf(error) });
}

function meaningOf(error: Error, doing: "read" | "write"): Meaning | undefined {
  const word = reasonOf(error);
  if (word === "NOPERM") {
    const hint =
      "Grant this user the keys `~{PREFIX}*` and the commands +@all -@admin -@dangerous, and the channels `&{PREFIX}*` (ACL SETUSER).";
    return { code: doing === "write" ? "storage/read-only" : "storage/unavailable", hint };
  }
  const known = meanings[word];
  if (known !== undefined) return known;
  if (error.message === fullQueue)
    return { code: "storage/unavailable", hint: `Too many calls wait for the server: do fewer at once. ${again}` };
  const problem = lineProblem((error as { code?: unknown }).code);
  if (problem !== undefined) return problem === "tls" ? untrusted : unreachable;
  if (lostConnection.test(error.constructor.name)) return unreachable;
  // Replies of the server that we don't know; any other error is no doing of its.
  return /^(SimpleError|BlobError|ErrorReply)$/.test(error.constructor.name)
    ? { code: "storage/unavailable", hint: `The server refused it. ${again}` }
    : undefined;
}

/** The word by which the server, or the system, tells its errors apart. */
function reasonOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  // What a script may not do comes in other words: the first are Redis 7.0's, the second those of later ones and of Valkey.
  if (/^(ERR|NOPERM) (The user executing the script can't|ACL failure in script)/.test(error.message)) return "NOPERM";
  return /^-?([A-Z]{3,})\b/.exec(error.message)?.[1] ?? error.constructor.name;
}
