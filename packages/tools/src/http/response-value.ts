import { ArtificerError, type Value } from "@artificer/protocol";
import { jsonToValue } from "../remote/json-to-value.js";
import { redactValue } from "../remote/redact-value.js";
import type { Redactor } from "../remote/redactor.js";
import { display, type HttpResponse } from "./http-client.js";
import { retryAfterMs } from "./retry.js";

const headBytes = 2_000;

/**
 * The body of an answer as a value: JSON as what it says, text as a string, anything else as `{mimeType, data}` with bytes,
 * nothing as null. Secrets that the server gives back are taken out.
 *
 * @throws ArtificerError `tool/output-unparsable` for JSON that is none.
 */
export function bodyValue({ url, headers, body }: HttpResponse, redactor: Redactor): Value {
  if (body.byteLength === 0) return null;
  const type = headers.get("content-type") ?? "";
  if (/^[\w.-]+\/([\w.-]+\+)?json\b/i.test(type)) {
    const text = new TextDecoder().decode(body);
    try {
      return redactValue(jsonToValue(JSON.parse(text)), redactor);
    } catch (cause) {
      if (ArtificerError.is(cause)) throw cause;
      throw new ArtificerError("tool/output-unparsable", `${display(url)} says that it answers JSON, and does not.`, {
        details: { url: display(url), contentType: type, body: redactor.redact(text.slice(0, headBytes)) },
      });
    }
  }
  const text = textOf(type, body);
  if (text !== undefined) return redactor.redact(text);
  return { mimeType: type.split(";")[0]!.trim() || "application/octet-stream", data: body };
}

/**
 * What a status of 400 and more is raised as.
 */
export function statusError(response: HttpResponse, method: string, redactor: Redactor): ArtificerError {
  const { url, status, statusText, headers, body } = response;
  const head = redactor.redact(new TextDecoder().decode(body.subarray(0, headBytes + 200))).slice(0, headBytes);
  const waitMs = retryAfterMs(headers);
  const where = `${method} ${display(url)}`;
  const said = head.trim() === "" ? "" : `: ${head.trim().slice(0, 300)}`;
  return new ArtificerError(
    "tool/http-status",
    redactor.redact(`${where} answered ${status} ${statusText}`.trim()) + said,
    {
      details: {
        status,
        method,
        url: redactor.redact(display(url)),
        contentType: headers.get("content-type") ?? undefined,
        body: head,
        retryAfterMs: waitMs,
      },
      hint: hintFor(status),
    },
  );
}

function hintFor(status: number): string | undefined {
  if (status === 401) return "The host's credentials are missing or were refused: check auth in the definition.";
  if (status === 403) return "The host's credentials do not allow this.";
  if (status === 404) return "Check the arguments that name what is asked for.";
  if (status === 429) return "Too many requests: wait, and ask less often.";
  return undefined;
}

function textOf(type: string, body: Uint8Array): string | undefined {
  const known =
    /^text\/|^application\/(xml|x-www-form-urlencoded|javascript|x-ndjson|ndjson|jsonl|yaml|x-yaml|graphql)\b|\+(xml|yaml)\b/i;
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1];
  try {
    if (known.test(type)) return new TextDecoder(charset ?? "utf-8").decode(body);
    // An answer that does not say what it is may be text all the same.
    return type === "" ? new TextDecoder("utf-8", { fatal: true }).decode(body) : undefined;
  } catch {
    return undefined;
  }
}
