import type { JSONRPCErrorResponse } from "@modelcontextprotocol/client";

/** Error codes, in JSON-RPC's own space, of the answers given in a server's place. */
export const standInCodes = { tooLarge: -32098, garbage: -32097, lost: -32096 } as const;

/** The answer given to a request that the server did not answer in a way that could be passed on. */
export function standIn(kind: keyof typeof standInCodes, id: number | string, message: string): JSONRPCErrorResponse {
  return { jsonrpc: "2.0", id, error: { code: standInCodes[kind], message } };
}

/** Which request an oversized answer is for, by its two ends; servers write the id first or last. */
export function answeredId(head: string, tail: string): number | undefined {
  // A server counts its own questions with ids too.
  if (isQuestion(head)) return undefined;
  const at =
    /^(?:data:)?\s*\{[^{[]*?"id"\s*:\s*(\d+)\s*[,}]/.exec(head) ?? /[,{]\s*"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail);
  return at === null ? undefined : Number(at[1]);
}

/** True when a message is no answer, by its beginning: a notification, or a question of the server's own. */
export function isQuestion(head: string): boolean {
  return /^(?:data:)?\s*\{[^{[]*?"method"\s*:/.test(head);
}
