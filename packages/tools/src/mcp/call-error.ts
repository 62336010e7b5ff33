import { ArtificerError } from "@artificer/protocol";
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { standInCodes } from "./stand-in-answer.js";
import type { ServerEnd } from "./stdio-transport.js";

/** What is known about a call, or a start, that failed. */
export interface FailureContext {
  toolkit: string;
  tool?: string;
  maxResultBytes: number;
  /** How the server's process ended, once it has. */
  end: ServerEnd | undefined;
  /** True while the server was being started or reached. */
  starting?: boolean;
}

/** Whatever the SDK or a transport threw, as one of our errors. */
export function callError(thrown: unknown, context: FailureContext): ArtificerError {
  if (ArtificerError.is(thrown)) return thrown;
  const { toolkit, tool, end } = context;
  const details = { toolkit, tool, ...endDetails(end) };
  if (end?.flooded) return tooLarge(context, "It was ended, for one message went on beyond all bounds.");
  if (SdkError.isInstance(thrown)) {
    const sdk = thrown as SdkError;
    if (sdk.code === SdkErrorCode.RequestTimeout) return timedOut(context, sdk);
    if (sdk.code === SdkErrorCode.InvalidResult) {
      return new ArtificerError(
        "tool/output-unparsable",
        `The server ${toolkit} gave no valid answer: ${sdk.message}`,
        {
          details,
          cause: thrown,
        },
      );
    }
    if (!context.starting && (sdk.code === SdkErrorCode.ConnectionClosed || sdk.code === SdkErrorCode.NotConnected))
      return crashed(context);
  }
  if (ProtocolError.isInstance(thrown)) return protocolError(thrown as ProtocolError, context);
  if (context.starting) return startFailed(thrown, context);
  const message = thrown instanceof Error ? reasonOf(thrown) : String(thrown);
  if (isNetworkFailure(thrown)) {
    return new ArtificerError("tool/unavailable", `The server ${toolkit} can't be reached: ${message}`, {
      details,
      hint: "Check that it runs and that its url is right; the next call tries again.",
      cause: thrown,
    });
  }
  return new ArtificerError("tool/failed", `${toolkit}${tool === undefined ? "" : `.${tool}`}: ${message}`, {
    details,
    cause: thrown,
  });
}

function protocolError(error: ProtocolError, context: FailureContext): ArtificerError {
  const { toolkit, tool, end } = context;
  const details = { toolkit, tool, rpcCode: error.code, ...endDetails(end) };
  switch (error.code) {
    case standInCodes.tooLarge:
      return tooLarge(context, error.message);
    case standInCodes.garbage:
      return new ArtificerError("tool/output-unparsable", `${toolkit}: ${error.message}`, { details });
    case standInCodes.lost:
      return crashed(context);
    default:
      // The SDK holds results to the schema that the tool declares, and says so only in words.
      if (/output ?schema/i.test(error.message)) {
        return new ArtificerError("tool/output-unparsable", `${toolkit}.${tool}: ${error.message}`, {
          details,
          hint: "The server does not give what it says it gives; its maker can mend that.",
        });
      }
      return new ArtificerError("tool/failed", `${toolkit}${tool === undefined ? "" : `.${tool}`}: ${error.message}`, {
        details,
        cause: error,
      });
  }
}

function tooLarge({ toolkit, tool, maxResultBytes }: FailureContext, why: string): ArtificerError {
  const where = tool === undefined ? toolkit : `${toolkit}.${tool}`;
  return new ArtificerError("tool/result-too-large", `The answer of ${where} is over ${maxResultBytes} bytes. ${why}`, {
    details: { toolkit, tool, maxBytes: maxResultBytes },
    hint: "Ask for less at a time, or raise maxResultBytes in the server's definition.",
  });
}

function timedOut({ toolkit, tool, starting, end }: FailureContext, cause: unknown): ArtificerError {
  const what = starting ? `The server ${toolkit} did not get ready` : `${toolkit}.${tool} did not answer`;
  return new ArtificerError("tool/timed-out", `${what} in time.`, {
    details: { toolkit, tool, ...endDetails(end) },
    hint: `Raise ${starting ? "startTimeoutMs" : "timeoutMs"} in the server's definition if it needs longer.`,
    cause,
  });
}

function crashed({ toolkit, tool, end }: FailureContext): ArtificerError {
  const during = tool === undefined ? "" : ` while ${tool} ran; whether the call took effect is not known`;
  return new ArtificerError("tool/crashed", `The server ${toolkit} went away${how(end)}${during}.`, {
    details: { toolkit, tool, ...endDetails(end) },
    hint: "The next call starts it again.",
  });
}

function startFailed(thrown: unknown, { toolkit, end }: FailureContext): ArtificerError {
  const why =
    end !== undefined && (end.exitCode !== null || end.signal !== null)
      ? `it ended${how(end)} before it was ready`
      : thrown instanceof Error
        ? reasonOf(thrown)
        : String(thrown);
  const said = end?.stderr.trim() || end?.noise.trim();
  return new ArtificerError(
    "tool/unavailable",
    `The server ${toolkit} could not be started or reached: ${why}.${said ? ` It said: ${said.slice(-500)}` : ""}`,
    {
      details: { toolkit, ...endDetails(end) },
      hint: "Check its definition; the next call tries again.",
      cause: thrown,
    },
  );
}

function how(end: ServerEnd | undefined): string {
  if (end?.signal) return ` (${end.signal})`;
  return end?.exitCode === null || end?.exitCode === undefined ? "" : ` (exit code ${end.exitCode})`;
}

function endDetails(end: ServerEnd | undefined) {
  if (end === undefined) return {};
  const { exitCode, signal, stderr, noise } = end;
  return {
    ...(exitCode === null ? {} : { exitCode }),
    ...(signal === null ? {} : { signal }),
    ...(stderr === "" ? {} : { stderr }),
    ...(noise === "" ? {} : { stdoutNoise: noise }),
  };
}

/** `fetch failed` alone says nothing; its cause does. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}

function isNetworkFailure(thrown: unknown): boolean {
  return thrown instanceof TypeError && /fetch failed|terminated/.test(thrown.message);
}
