import type { KernelChannel, StreamName } from "@artificer/protocol";
import { buffered } from "./buffered.js";

/** What a channel stands on: whatever carries bytes and output, and ends the kernel. */
export interface ChannelTransport extends Pick<KernelChannel, "pid" | "send" | "exited" | "ref"> {
  /** Ends the kernel; called once. */
  end(): Promise<void>;
}

/** The readers' side of a channel, which is there before anything can arrive. */
export interface ChannelInbox {
  bytes(chunk: Uint8Array): void;
  output(stream: StreamName, chunk: Uint8Array): void;
  /** Makes the channel: what has arrived by then, and until there are readers, is kept for them in order. */
  channel(transport: ChannelTransport): KernelChannel;
}

export function createChannelInbox(): ChannelInbox {
  const bytes = buffered<[Uint8Array]>();
  const output = buffered<[StreamName, Uint8Array]>();
  return {
    bytes: bytes.push,
    output: output.push,
    channel({ pid, send, exited, ref, end }) {
      let killing: Promise<void> | undefined;
      return {
        pid,
        send,
        exited,
        ref,
        get onBytes() {
          return bytes.reader;
        },
        set onBytes(reader) {
          bytes.reader = reader;
        },
        get onOutput() {
          return output.reader;
        },
        set onOutput(reader) {
          output.reader = reader;
        },
        kill() {
          killing ??= end();
          return killing;
        },
      };
    },
  };
}
