import { type Client, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";

/**
 * True when a call never reached the server's tools because the server no longer knows this connection (it was started anew,
 * or its session ran out), so that making a new connection and asking again can do nothing twice.
 */
export function isLostSession(error: unknown, { transport }: Client): boolean {
  if (SdkHttpError.isInstance(error)) {
    const { status } = error as unknown as { status: number };
    return transport?.sessionId !== undefined && (status === 404 || status === 400);
  }
  return SdkError.isInstance(error) && (error as SdkError).code === SdkErrorCode.NotConnected;
}
