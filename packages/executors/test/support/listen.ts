import type { KernelChannel } from "@artificer/protocol";

/** Collects what a kernel sends and prints, as text. */
export function listen(channel: KernelChannel) {
  const heard = { wire: "", stdout: "", stderr: "" };
  channel.onBytes = (chunk) => {
    heard.wire += Buffer.from(chunk).toString();
  };
  channel.onOutput = (stream, chunk) => {
    heard[stream] += Buffer.from(chunk).toString();
  };
  return heard;
}
