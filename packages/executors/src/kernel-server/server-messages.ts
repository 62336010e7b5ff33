import type { Duplex } from "node:stream";
import {
  type ErrorJson,
  encodeFrame,
  FrameDecoder,
  type KernelExit,
  type Language,
  type ResourceLimits,
  type StreamName,
} from "@artificer/protocol";

/** What a host asks of a kernel server, once, to begin with. */
export interface StartMessage {
  type: "start";
  language: Language;
  interpreter?: string;
  env: Record<string, string>;
  limits: ResourceLimits;
}

/** Frames of a connection, of which each carries one kernel. Bytes are a frame's one part. */
export type ToServer = StartMessage | { type: "bytes" } | { type: "kill" };
export type ToHost =
  | { type: "started" }
  | { type: "refused"; error: ErrorJson }
  | { type: "bytes" }
  | { type: "output"; stream: StreamName }
  | { type: "exited"; exit: KernelExit };

/** The protocol that a connection is upgraded to. */
export const upgradeTo = "artificer-kernel-1";

/** Sends messages, and receives them until one is none. */
export function openMessages<Out extends object, In>(
  socket: Duplex,
  receive: (message: In, bytes: Uint8Array | undefined) => void,
) {
  const decoder = new FrameDecoder();
  const take = (chunk: Uint8Array) => {
    try {
      for (const { header, parts } of decoder.push(chunk)) receive(header as In, parts[0]);
    } catch {
      // Nothing more on it can be trusted.
      socket.destroy();
    }
  };
  return {
    take,
    send(message: Out, bytes?: Uint8Array) {
      if (!socket.writable) return;
      socket.cork();
      for (const chunk of encodeFrame(message, bytes === undefined ? [] : [bytes])) socket.write(chunk);
      socket.uncork();
    },
  };
}
