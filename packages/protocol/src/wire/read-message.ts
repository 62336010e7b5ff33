import type { z } from "zod";
import {
  type NoticeMessage,
  type RequestMessage,
  type ResponseMessage,
  type WireMessage,
  wireMessage,
} from "./messages.js";

/**
 * Reads a frame's header as a message. The schema is what decides: the usual messages are recognized by a look at their few
 * members, which gives what the schema would give; all else, and so every wrong one, goes through the schema.
 */
export function readMessage(header: unknown): z.ZodSafeParseResult<WireMessage> {
  const data = usualMessage(header);
  return data === undefined ? wireMessage.safeParse(header) : { success: true, data };
}

const maxNameChars = 200;

function usualMessage(header: unknown): WireMessage | undefined {
  if (typeof header !== "object" || header === null || Array.isArray(header)) return undefined;
  const { type, key } = header as Partial<WireMessage>;
  if (typeof key !== "string") return undefined;
  switch (type) {
    case "response":
      return usualResponse(header as Partial<ResponseMessage>, key);
    case "request":
      return usualRequest(header as Partial<RequestMessage>, key);
    case "notice":
      return usualNotice(header as Partial<NoticeMessage>, key);
    default:
      return undefined;
  }
}

function usualResponse(header: Partial<ResponseMessage>, key: string): ResponseMessage | undefined {
  const { id } = header;
  if (!isId(id) || Object.hasOwn(header, "error") || !Object.hasOwn(header, "value")) return undefined;
  return { type: "response", id, value: header.value, key };
}

function usualRequest(header: Partial<RequestMessage>, key: string): RequestMessage | undefined {
  const { id, method, cell } = header;
  if (!isId(id) || !isId(cell) || !isName(method) || !Object.hasOwn(header, "params")) return undefined;
  return { type: "request", id, method, params: header.params, cell, key };
}

function usualNotice(header: Partial<NoticeMessage>, key: string): NoticeMessage | undefined {
  const { name, cell } = header;
  if (!isId(cell) || !isName(name) || !Object.hasOwn(header, "params")) return undefined;
  return { type: "notice", name, params: header.params, cell, key };
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) >= 0;
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name.length <= maxNameChars;
}
