import { ArtificerError } from "@artificer/protocol";
import { type EncodedBody, encodeBody } from "./encode-body.js";
import { defaultStyle, type HttpOperation, type HttpParameter } from "./http-operation.js";
import { serializeHeader, serializePairs, serializePath } from "./serialize-parameter.js";

/** A request without credentials. */
export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: EncodedBody | undefined;
}

/** What an address takes for "here" or "one up". */
const dotStep = /^(\.|%2e){1,2}$/i;

/** Headers that belong to the connection or to the host's credentials, and so to no cell. */
const keptHeaders = new Set([
  ...["authorization", "connection", "content-length", "cookie", "expect", "host", "keep-alive", "proxy-authorization"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

/**
 * The request that a call stands for.
 *
 * @throws ArtificerError `tool/missing-argument`, `tool/invalid-argument` naming the argument.
 */
export function buildRequest(operation: HttpOperation, given: Record<string, unknown>): HttpRequest {
  // A parameter may be called `constructor`: only what was really given counts.
  const args = new Map(Object.entries(given));
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  let { path } = operation;
  for (const parameter of operation.parameters) {
    const value = args.get(parameter.argument);
    if (value === undefined || value === null) {
      if (parameter.required && parameter.in === "path") throw missing(parameter);
      continue;
    }
    switch (parameter.in) {
      case "path":
        path = path.replace(`{${parameter.name}}`, () => pathStep(value, parameter));
        break;
      case "query":
        query.push(...serializePairs(value, parameter).map(([key, text]) => `${key}=${text}`));
        break;
      case "header":
        headers[headerName(parameter)] = headerText(serializeHeader(value, parameter), parameter.argument);
        break;
      case "cookie":
        cookies.push(...serializePairs(value, cookieStyle(parameter)).map(([key, text]) => `${key}=${text}`));
        break;
    }
  }
  if (path.split("/").some((step) => dotStep.test(step))) throw upwards(operation.path);
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  const { body } = operation;
  const content = body === undefined ? undefined : args.get(body.argument);
  const encoded = body === undefined || content === undefined ? undefined : encodeBody(content, body);
  if (encoded?.contentType !== undefined) headers["content-type"] = encoded.contentType;
  return { method: operation.method, url: requestUrl(operation.baseUrl, path, query), headers, body: encoded };
}

function requestUrl(baseUrl: string, path: string, query: string[]): URL {
  const base = new URL(baseUrl);
  const url = new URL(base.origin + base.pathname.replace(/\/+$/, "") + path);
  // A server's own query (an API version, say) goes first.
  url.search = [base.search.slice(1), url.search.slice(1), ...query].filter((part) => part !== "").join("&");
  return url;
}

/** A value that would change which path is meant, by being empty or a step upwards, is refused. */
function pathStep(value: unknown, parameter: HttpParameter): string {
  const text = serializePath(value, { ...parameter, allowReserved: false });
  if (text === "" || dotStep.test(text)) {
    throw new ArtificerError(
      "tool/invalid-argument",
      `${parameter.argument} can't be ${JSON.stringify(value)}: it is a step of the path.`,
      {
        details: { argument: parameter.argument },
      },
    );
  }
  return text;
}

/** Two harmless values side by side can make a step upwards too. */
function upwards(path: string): ArtificerError {
  return new ArtificerError("tool/invalid-argument", `The arguments would lead out of ${path}.`, { details: { path } });
}

function headerName({ name, argument }: HttpParameter): string {
  const lower = name.toLowerCase();
  if (!keptHeaders.has(lower)) return lower;
  throw new ArtificerError("tool/invalid-argument", `${argument}: the header ${name} is the host's to set.`, {
    details: { argument, header: name },
    hint: "Use auth or headers in the definition.",
  });
}

function headerText(text: string, argument: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a header.
  if (!/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(text)) return text;
  throw new ArtificerError("tool/invalid-argument", `${argument} holds characters that a header can't.`, {
    details: { argument },
    hint: "Leave out line ends and control characters; encode what is beyond Latin-1.",
  });
}

function cookieStyle(parameter: HttpParameter): HttpParameter {
  return { ...parameter, style: parameter.style === "json" ? "json" : defaultStyle("cookie") };
}

function missing({ argument }: HttpParameter): ArtificerError {
  return new ArtificerError("tool/missing-argument", `${argument} is needed: it is a step of the path.`, {
    details: { argument },
  });
}
