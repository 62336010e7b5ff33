import {
  ArtificerError,
  decodeValue,
  type ErrorJson,
  encodeFrame,
  encodeValue,
  errorFromJson,
  type Frame,
  FrameDecoder,
  type KernelChannel,
  type NoticeMessage,
  type RequestMessage,
  readMessage,
  toArtificerError,
  type Value,
  type WireError,
  type WireMessage,
} from "@artificer/protocol";
import { Withdrawal } from "./withdrawal.js";

/** A kernel's request with its parameters decoded. */
export interface KernelRequest {
  /** Unique in the life of the kernel. */
  id: number;
  method: string;
  params: Value;
  cell: number | undefined;
  /** Told when the kernel withdraws the request or ends. */
  withdrawal: Withdrawal;
  /** Set by whoever answers, to learn how large the answer was on the wire, in bytes. */
  onAnswered?: (bytes: number) => void;
  /** Set by whoever answers: what to send instead of an answer that takes more bytes on the wire; it may throw. */
  answerLimit?: { maxBytes: number; replace(value: unknown, bytes: number): Promise<unknown> };
}

export interface KernelConnectionHandlers {
  /** Answers a kernel's request. What it throws is sent back as an error. */
  onRequest(request: KernelRequest): Promise<unknown>;
  onNotice(name: string, params: Value, cell: number | undefined): void;
  /** The kernel broke the rules of the wire: it must be ended. Called once. */
  onViolation(error: ArtificerError): void;
}

interface Pending {
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Messages over a kernel's channel: matches replies to requests, checks the secret, validates every frame. Nothing that
 * a kernel sends can throw out of here: a bad frame is a violation, told once, and all after it is ignored.
 */
export class KernelConnection {
  readonly #channel: KernelChannel;
  readonly #key: string;
  readonly #handlers: KernelConnectionHandlers;
  readonly #decoder = new FrameDecoder();
  readonly #pending = new Map<number, Pending>();
  readonly #serving = new Map<number, Withdrawal>();
  #nextId = 1;
  #ended: ArtificerError | undefined;

  constructor(channel: KernelChannel, key: string, handlers: KernelConnectionHandlers) {
    this.#channel = channel;
    this.#key = key;
    this.#handlers = handlers;
    channel.onBytes = (chunk) => this.#receive(chunk);
  }

  /** Whether requests of the kernel's are under way. */
  get serving(): boolean {
    return this.#serving.size > 0;
  }

  /** Asks the kernel. @throws the kernel's error, or the reason that the connection ended with. */
  request(method: string, params: unknown): { id: number; reply: Promise<Value> } {
    const id = this.#nextId++;
    if (this.#ended !== undefined) return { id, reply: Promise.reject(this.#ended) };
    const { json, parts } = encodeValue(params);
    const reply = new Promise<Value>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#channel.send(encodeFrame({ type: "request", id, method, params: json }, parts));
    return { id, reply };
  }

  /** Withdraws a request; for a running cell this is the interrupt. Its answer still arrives. */
  cancel(id: number, reason: string): void {
    if (this.#ended === undefined) this.#channel.send(encodeFrame({ type: "cancel", id, reason }));
  }

  /** Fails all that is under way, here and in the tools. Idempotent: the first reason stays. */
  end(reason: ArtificerError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
    for (const serving of this.#serving.values()) serving.withdraw(reason);
    this.#serving.clear();
  }

  /** Aborts the requests being served for one cell. */
  abortServing(reason: ArtificerError): void {
    for (const serving of this.#serving.values()) serving.withdraw(reason);
  }

  #receive(chunk: Uint8Array): void {
    if (this.#ended !== undefined) return;
    try {
      for (const frame of this.#decoder.push(chunk)) this.#accept(this.#validate(frame), frame.parts);
    } catch (thrown) {
      const error = new ArtificerError(
        "kernel/protocol-violation",
        "The kernel sent something that is no message, so it was ended.",
        {
          cause: thrown,
          details: { reason: toArtificerError(thrown).message },
          hint: "A cell that writes to descriptors it did not open can cause this. The next cell starts a fresh kernel.",
        },
      );
      this.end(error);
      this.#handlers.onViolation(error);
    }
  }

  #validate(frame: Frame): WireMessage {
    const parsed = readMessage(frame.header);
    if (!parsed.success)
      throw new ArtificerError("wire/bad-frame", "A frame is no message of the wire.", { cause: parsed.error });
    if (parsed.data.key !== this.#key) throw new ArtificerError("wire/bad-frame", "A frame lacks the kernel's secret.");
    return parsed.data;
  }

  #accept(message: WireMessage, parts: Uint8Array[]): void {
    switch (message.type) {
      case "response": {
        // Decoded first: a malformed value must leave the request pending, to fail with the violation.
        const value = message.error === undefined ? decodeValue(message.value ?? null, parts) : null;
        const pending = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        if (message.error === undefined) pending?.resolve(value);
        else pending?.reject(errorFromJson(message.error as ErrorJson));
        return;
      }
      case "request":
        void this.#serve(message, parts);
        return;
      case "cancel":
        this.#serving.get(message.id)?.withdraw(new ArtificerError("tool/cancelled", "The cell withdrew the call."));
        return;
      case "notice":
        this.#notice(message, parts);
        return;
    }
  }

  #notice(message: NoticeMessage, parts: Uint8Array[]): void {
    this.#handlers.onNotice(message.name, decodeValue(message.params, parts), message.cell);
  }

  async #serve(message: RequestMessage, parts: Uint8Array[]): Promise<void> {
    const withdrawal = new Withdrawal();
    this.#serving.set(message.id, withdrawal);
    const request: KernelRequest = {
      id: message.id,
      method: message.method,
      params: null,
      cell: message.cell,
      withdrawal,
    };
    let chunks: Uint8Array[];
    try {
      request.params = decodeValue(message.params, parts);
      const value = await this.#handlers.onRequest(request);
      chunks = responseFrame(message.id, value);
      const { answerLimit: limit } = request;
      if (limit !== undefined && sizeOf(chunks) > limit.maxBytes)
        chunks = responseFrame(message.id, await limit.replace(value, sizeOf(chunks)));
    } catch (thrown) {
      chunks = encodeFrame({ type: "response", id: message.id, error: errorToWire(thrown) });
    }
    this.#serving.delete(message.id);
    request.onAnswered?.(sizeOf(chunks));
    if (this.#ended === undefined) this.#channel.send(chunks);
  }
}

function responseFrame(id: number, value: unknown): Uint8Array[] {
  const { json, parts } = encodeValue(value);
  return encodeFrame({ type: "response", id, value: json }, parts);
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const chunk of chunks) bytes += chunk.byteLength;
  return bytes;
}

/** Messages reach the model; stacks never do. */
function errorToWire(thrown: unknown): WireError {
  const { code, message, hint, details } = toArtificerError(thrown);
  const { json } = encodeValue(details);
  return { code, message, hint, details: json as Record<string, unknown> };
}
