/** How bytes reach the host and come from it. Its end is the kernel's end. */
export interface Transport {
  /** Set once; called by the event loop with what has arrived. */
  onBytes: (chunk: Uint8Array) => void;
  send(chunks: readonly Uint8Array[]): void;
  /** Hands out at once, without the event loop, what has arrived. */
  poll(take: (chunk: Uint8Array) => void): void;
}
