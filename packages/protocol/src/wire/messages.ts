import { z } from "zod";

/** The version of the wire; a kernel that speaks another one is refused at the handshake. */
export const wireVersion = 1;

const id = z.int().nonnegative();

/** An error inside a response. */
export const wireError = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** The exception's class in the kernel's language, when there was one. */
  type: z.string().optional(),
});

/** Either side asks. `params` is encoded by the value codec. `cell` names the cell a kernel's request belongs to. */
export const requestMessage = z.object({
  type: z.literal("request"),
  id,
  method: z.string().max(200),
  params: z.unknown(),
  cell: id.optional(),
  key: z.string().optional(),
});

/** The answer to a request: a value or an error, never both. Replies may come in any order. */
export const responseMessage = z.object({
  type: z.literal("response"),
  id,
  value: z.unknown().optional(),
  error: wireError.optional(),
  key: z.string().optional(),
});

/** Withdraws a request. It is still answered, late answers are dropped by whoever withdrew it. */
export const cancelMessage = z.object({
  type: z.literal("cancel"),
  id,
  reason: z.string().optional(),
  key: z.string().optional(),
});

/** Told, never answered: a display, a late exception of a thread. */
export const noticeMessage = z.object({
  type: z.literal("notice"),
  name: z.string().max(200),
  params: z.unknown(),
  cell: id.optional(),
  key: z.string().optional(),
});

/** Any message on the wire. `key` is the kernel's secret; the host refuses a frame from a kernel that lacks it. */
export const wireMessage = z.discriminatedUnion("type", [
  requestMessage,
  responseMessage,
  cancelMessage,
  noticeMessage,
]);

export type WireError = z.infer<typeof wireError>;
export type RequestMessage = z.infer<typeof requestMessage>;
export type ResponseMessage = z.infer<typeof responseMessage>;
export type CancelMessage = z.infer<typeof cancelMessage>;
export type NoticeMessage = z.infer<typeof noticeMessage>;
export type WireMessage = z.infer<typeof wireMessage>;
