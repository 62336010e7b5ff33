import { encodeValue, ArtificerError as ProtocolError, type WireError } from "@artificer/protocol";
import { currentCell } from "./activity.js";
import type { Cell } from "./cell.js";
import { errorClass } from "./guest-error.js";
import { valueFromWire } from "./values.js";
import type { WireChannel } from "./wire-channel.js";

interface Pending {
  cell: Cell | undefined;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  /** Holds the stack of whoever asked, read only when it is needed. */
  origin: { stack?: string };
}

/** Requests of the kernel to the host. */
export class HostLink {
  readonly #wire: WireChannel;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Set while nothing may be asked of the host: why. */
  refusal: string | undefined;

  constructor(wire: WireChannel) {
    this.#wire = wire;
  }

  /** Sends a request at once. `above` is the function whose caller the error's stack begins with. */
  request(method: string, params: unknown, above: (...args: never[]) => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => this.send(method, params, above, { resolve, reject }));
  }

  send(
    method: string,
    params: unknown,
    above: (...args: never[]) => unknown,
    answer: Pick<Pending, "resolve" | "reject">,
  ): void {
    const origin: { stack?: string } = {};
    Error.captureStackTrace(origin, above);
    if (this.refusal !== undefined) {
      throw originated(
        { code: "session/busy", message: `Nothing can be asked of the host while ${this.refusal}.` },
        origin,
      );
    }
    const cell = currentCell();
    const { json, parts } = encoded(params, method, origin);
    const id = ++this.#lastId;
    this.#pending.set(id, { cell, origin, ...answer });
    const about = cell === undefined ? {} : { cell: cell.number };
    this.#wire.send({ type: "request", id, method, params: json, ...about }, parts);
  }

  /** Takes a response of the host. One that nobody waits for is dropped. */
  receive(header: { id: number; value?: unknown; error?: WireError }, parts: Uint8Array[]): void {
    const pending = this.#pending.get(header.id);
    if (pending === undefined) return;
    this.#pending.delete(header.id);
    if (pending.cell?.interrupted === true) return;
    if (header.error !== undefined) {
      pending.reject(originated(header.error, pending.origin));
      return;
    }
    try {
      pending.resolve(valueFromWire(header.value ?? null, parts));
    } catch (error) {
      pending.reject(ownError(error, pending.origin));
    }
  }

  /** Withdraws what an interrupted cell still waits for. Its code never goes on: it is never answered. */
  withdraw(cell: Cell): void {
    for (const [id, pending] of this.#pending) {
      if (pending.cell !== cell) continue;
      this.#pending.delete(id);
      this.#wire.send({ type: "cancel", id, reason: "The cell was interrupted." });
    }
  }
}

/** What a cell passes is named by its own place, not by where it lies in the request. */
function encoded(params: unknown, method: string, origin: { stack?: string }): ReturnType<typeof encodeValue> {
  try {
    if (method !== "shared.set") return encodeValue(params);
    const { value, ...rest } = params as { value: unknown };
    const { json, parts } = encodeValue(value);
    return { json: { ...rest, ...(value === undefined ? {} : { value: json }) }, parts };
  } catch (error) {
    throw ownError(error, origin);
  }
}

/** An error of the codec, as cells know errors. */
function ownError(error: unknown, origin: { stack?: string }): Error {
  return ProtocolError.is(error) ? originated(error.toJSON(), origin) : (error as Error);
}

function originated(error: WireError, origin: { stack?: string }): Error {
  const Class = errorClass(error.code);
  const thrown = new Class(error);
  const frames = origin.stack?.split("\n").slice(1).join("\n") ?? "";
  Object.defineProperty(thrown, "stack", {
    value: `${thrown.name}: ${thrown.message}${frames === "" ? "" : `\n${frames}`}`,
    writable: true,
    configurable: true,
  });
  return thrown;
}
