import { ArtificerError } from "@artificer/protocol";
import { FormData } from "undici";
import { plainJson } from "../remote/plain-json.js";
import type { HttpBody, PropertyEncoding } from "./http-operation.js";
import { serializePairs } from "./serialize-parameter.js";

/** A body ready to be sent, as often as need be. */
export interface EncodedBody {
  content: string | Uint8Array | FormData;
  /** Left out where the form's own boundary belongs into it. */
  contentType: string | undefined;
}

/**
 * Encodes a body by its content type.
 *
 * @throws ArtificerError `tool/invalid-argument` when the value is none that the type can hold.
 */
export function encodeBody(value: unknown, { contentType, argument, encoding }: HttpBody): EncodedBody {
  const type = contentType.toLowerCase();
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) return { content: JSON.stringify(plainJson(value)), contentType };
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return { content: formPairs(members(value, argument), encoding), contentType };
  }
  if (type.startsWith("multipart/"))
    return { content: form(members(value, argument), encoding), contentType: undefined };
  if (value instanceof Uint8Array)
    return { content: value, contentType: contentType === "*/*" ? "application/octet-stream" : contentType };
  if (typeof value === "string")
    return { content: value, contentType: contentType === "*/*" ? "text/plain" : contentType };
  throw new ArtificerError(
    "tool/invalid-argument",
    `${argument} should be text or bytes, for it is sent as ${contentType}.`,
    {
      details: { argument, contentType },
    },
  );
}

function members(value: unknown, argument: string): [string, unknown][] {
  const entries = value instanceof Map ? [...value.entries()] : plainEntries(value);
  if (entries !== undefined) return entries.map(([key, item]) => [String(key), item]);
  throw new ArtificerError("tool/invalid-argument", `${argument} should be an object of the form's fields.`, {
    details: { argument },
  });
}

function plainEntries(value: unknown): [string, unknown][] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array)
    return undefined;
  return Object.entries(value);
}

function formPairs(fields: [string, unknown][], encoding: HttpBody["encoding"]): string {
  return fields
    .flatMap(([name, value]) => {
      const given = encoding[name];
      const nested = typeof value === "object" && value !== null && !Array.isArray(value);
      const style = given?.style ?? (given?.contentType ? "json" : nested ? "deepObject" : "form");
      return serializePairs(value, {
        name,
        style,
        explode: given?.explode ?? true,
        allowReserved: given?.allowReserved,
      });
    })
    .map(([key, value]) => `${key}=${value}`)
    .join("&");
}

function form(fields: [string, unknown][], encoding: HttpBody["encoding"]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) {
    for (const item of Array.isArray(value) ? value : [value]) append(data, name, item, encoding[name]);
  }
  return data;
}

/** Bytes are a file; so is `{data, filename, mimeType}`, which says more about it. */
function append(data: FormData, name: string, value: unknown, encoding: PropertyEncoding | undefined): void {
  if (value === null || value === undefined) return;
  if (value instanceof Uint8Array) {
    data.append(
      name,
      new Blob([new Uint8Array(value)], { type: encoding?.contentType ?? "application/octet-stream" }),
      name,
    );
  } else if (isFile(value)) {
    const type = value.mimeType ?? encoding?.contentType ?? "application/octet-stream";
    const content = typeof value.data === "string" ? value.data : new Uint8Array(value.data);
    data.append(name, new Blob([content], { type }), value.filename ?? name);
  } else if (typeof value === "object") {
    data.append(
      name,
      new Blob([JSON.stringify(plainJson(value))], { type: encoding?.contentType ?? "application/json" }),
    );
  } else {
    data.append(name, String(value));
  }
}

function isFile(value: unknown): value is { data: Uint8Array | string; filename?: string; mimeType?: string } {
  if (typeof value !== "object" || value === null || !("data" in value)) return false;
  return value.data instanceof Uint8Array || (typeof value.data === "string" && "filename" in value);
}
