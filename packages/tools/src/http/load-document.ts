import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import $RefParser, { type FileInfo } from "@apidevtools/json-schema-ref-parser";
import { ArtificerError, toArtificerError } from "@artificer/protocol";
import type { Agent } from "undici";
import { parse } from "yaml";
import { nestsDeeperThan } from "../yaml/nests-deeper-than.js";
import { display, sendRequest } from "./http-client.js";

/** A document, read whole, and where it is from. */
export interface LoadedDocument {
  data: unknown;
  /** Set when it is from an address. */
  url: string | undefined;
}

/** What loading draws on. */
export interface LoadContext {
  agent: Agent;
  /** The folder against which a relative path is resolved. */
  directory: string;
  maxRedirects: number;
  timeoutMs: number;
}

const maxDepth = 500;
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads an OpenAPI document from a file or an address, with the files it refers to. A document from a file may refer to files
 * in and below its own folder; one from an address, to addresses of the same origin. Nothing else is read or fetched.
 *
 * @throws ArtificerError `tool/definition-invalid`, `tool/unavailable`, `tool/denied`, `tool/http-status`.
 */
export async function loadDocument(source: string, context: LoadContext): Promise<LoadedDocument> {
  const remote = /^https?:\/\//i.test(source);
  const place = remote ? source : resolve(context.directory, source);
  const text = remote ? await fetchText(new URL(source), context) : await readText(place, source);
  const data = parseText(text, source);
  if (nestsDeeperThan(data, maxDepth)) throw tooDeep(source);
  if (hasOutsideReference(data)) await bundle(data, place, remote, context);
  return { data, url: remote ? source : undefined };
}

function parseText(text: string, source: string): unknown {
  try {
    // JSON first: it is many times faster than reading JSON as YAML.
    return /^\s*[{[]/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 1_000, logLevel: "silent" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArtificerError("tool/definition-invalid", `${source}: neither JSON nor YAML: ${reason}`, {
      details: { source },
      cause,
    });
  }
}

async function readText(path: string, source: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxBytes) throw tooLarge(source);
    return await readFile(path, "utf8");
  } catch (cause) {
    if (ArtificerError.is(cause)) throw cause;
    throw new ArtificerError("tool/definition-invalid", `openapi: ${source} can't be read.`, {
      details: { field: "openapi", path },
      hint: "Give a path relative to the definition's own file, or an address.",
      cause,
    });
  }
}

async function fetchText(url: URL, { agent, maxRedirects, timeoutMs }: LoadContext): Promise<string> {
  const request = {
    method: "GET",
    url,
    headers: { accept: "application/json, application/yaml, */*" },
    body: undefined,
  };
  const response = await sendRequest(agent, request, {
    maxBytes,
    maxRedirects,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 200) return new TextDecoder().decode(response.body);
  throw new ArtificerError("tool/http-status", `openapi: ${display(url)} answered ${response.status}.`, {
    details: { field: "openapi", status: response.status, url: display(url) },
  });
}

/** Draws what the document refers to outside of itself into it; references within are left as they are. */
async function bundle(data: unknown, place: string, remote: boolean, context: LoadContext): Promise<void> {
  const root = remote ? undefined : await realpath(dirname(place));
  const origin = remote ? new URL(place).origin : undefined;
  // The parser puts errors of its own in place of ours.
  let refusal: ArtificerError | undefined;
  const refuse = (url: string) => {
    refusal ??= outside(url);
    return refusal;
  };
  const file = {
    order: 1,
    canRead: ({ url }: FileInfo) => root !== undefined && !/^https?:/i.test(url),
    async read({ url }: FileInfo) {
      const path = await realpath(/^file:/i.test(url) ? fileURLToPath(url) : decodeURIComponent(url)).catch(
        () => undefined,
      );
      const inside = path === undefined ? undefined : relative(root!, path);
      if (inside === undefined || inside.startsWith("..") || isAbsolute(inside)) throw refuse(url);
      return readText(path!, inside);
    },
  };
  const http = {
    order: 2,
    canRead: ({ url }: FileInfo) => /^https?:/i.test(url),
    read({ url }: FileInfo) {
      if (origin === undefined || new URL(url).origin !== origin) throw refuse(url);
      return fetchText(new URL(url), context);
    },
  };
  try {
    await new $RefParser().bundle(place, data as object, { resolve: { file, http }, continueOnError: false });
  } catch (cause) {
    const error = refusal ?? toArtificerError(cause, "tool/definition-invalid");
    throw new ArtificerError("tool/definition-invalid", `openapi: ${error.message}`, {
      details: { field: "openapi" },
      cause,
    });
  }
}

function hasOutsideReference(value: unknown, seen = new Set<object>()): boolean {
  if (typeof value !== "object" || value === null || seen.has(value)) return false;
  seen.add(value);
  if ("$ref" in value && typeof value.$ref === "string" && !value.$ref.startsWith("#")) return true;
  return Object.values(value).some((inner) => hasOutsideReference(inner, seen));
}

function outside(url: string): ArtificerError {
  return new ArtificerError("tool/definition-invalid", `The document refers to ${url}, which may not be read for it.`, {
    hint: "Keep the parts of a document in its own folder, or at its own origin.",
  });
}

function tooDeep(source: string): ArtificerError {
  return new ArtificerError("tool/definition-invalid", `openapi: ${source} is nested over ${maxDepth} levels deep.`, {
    details: { field: "openapi", source },
  });
}

function tooLarge(source: string): ArtificerError {
  return new ArtificerError("tool/definition-invalid", `openapi: ${source} is over ${maxBytes} bytes.`);
}
