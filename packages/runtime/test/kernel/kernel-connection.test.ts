import { ArtificerError, encodeFrame, FrameDecoder, type KernelChannel } from "@artificer/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { KernelConnection, type KernelRequest } from "../../src/kernel/kernel-connection.js";

/** The kernel's end of a channel, in memory: what the host sends is decoded, what the test sends arrives at once. */
function scriptedKernel() {
  const decoder = new FrameDecoder();
  const received: Record<string, unknown>[] = [];
  const channel: KernelChannel = {
    pid: undefined,
    send: (chunks) => {
      for (const { header } of decoder.push(new Uint8Array(Buffer.concat(chunks))))
        received.push(header as Record<string, unknown>);
    },
    onBytes: undefined,
    onOutput: undefined,
    exited: new Promise(() => {}),
    kill: async () => {},
  };
  const speak = (header: object, parts: Uint8Array[] = []) =>
    channel.onBytes?.(new Uint8Array(Buffer.concat(encodeFrame(header, parts))));
  return { channel, received, speak };
}

describe("a connection to a kernel", () => {
  let kernel: ReturnType<typeof scriptedKernel>;
  let connection: KernelConnection;
  let violations: ArtificerError[];
  let serve: (request: KernelRequest) => Promise<unknown>;

  beforeEach(() => {
    kernel = scriptedKernel();
    violations = [];
    serve = async ({ params }) => params;
    connection = new KernelConnection(kernel.channel, "secret", {
      onRequest: (request) => serve(request),
      onNotice: () => {},
      onViolation: (error) => violations.push(error),
    });
  });

  it("matches replies to requests in whatever order they come", async () => {
    const first = connection.request("a", {});
    const second = connection.request("b", {});
    kernel.speak({ type: "response", id: second.id, value: 2, key: "secret" });
    kernel.speak({ type: "response", id: first.id, value: 1, key: "secret" });
    expect(await Promise.all([first.reply, second.reply])).toEqual([1, 2]);
  });

  it("rejects with the kernel's error, code and all", async () => {
    const { id, reply } = connection.request("a", {});
    kernel.speak({
      type: "response",
      id,
      error: { code: "tool/failed", message: "no", hint: "mend it" },
      key: "secret",
    });
    await expect(reply).rejects.toMatchObject({ code: "tool/failed", message: "no", hint: "mend it" });
  });

  it("answers a kernel's request, and sends what is thrown without a stack", async () => {
    kernel.speak({ type: "request", id: 7, method: "m", params: [1], key: "secret" });
    serve = async () => {
      throw new ArtificerError("tool/denied", "not you", { hint: "ask" });
    };
    kernel.speak({ type: "request", id: 8, method: "m", params: [1], key: "secret" });
    await new Promise(setImmediate);
    expect(kernel.received).toContainEqual({ type: "response", id: 7, value: [1] });
    const refusal = kernel.received.find(({ id }) => id === 8);
    expect(refusal).toMatchObject({ error: { code: "tool/denied", message: "not you", hint: "ask" } });
    expect(JSON.stringify(refusal)).not.toContain("stack");
  });

  it("answers an error when the result is no value", async () => {
    serve = async () => ({ secret: () => 1 });
    kernel.speak({ type: "request", id: 1, method: "m", params: null, key: "secret" });
    await new Promise(setImmediate);
    expect(kernel.received).toMatchObject([{ id: 1, error: { code: "value/not-encodable" } }]);
  });

  it("lets a kernel withdraw its request", async () => {
    let reason: unknown;
    serve = ({ withdrawal: { signal } }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(reason);
        }),
      );
    kernel.speak({ type: "request", id: 1, method: "m", params: null, key: "secret" });
    kernel.speak({ type: "cancel", id: 1, key: "secret" });
    await new Promise(setImmediate);
    expect(reason).toMatchObject({ code: "tool/cancelled" });
    expect(kernel.received).toMatchObject([{ id: 1, error: { code: "tool/cancelled" } }]);
  });

  it.each<[string, object | Buffer]>([
    ["bytes that are no frame", Buffer.from("forged frame forged frame")],
    ["a message of no known type", { type: "shutdown", key: "secret" }],
    ["a frame without the secret", { type: "response", id: 1, value: 1 }],
    ["a frame with another secret", { type: "response", id: 1, value: 1, key: "guess" }],
    ["a value that is malformed", { type: "response", id: 1, value: { $: "bytes", p: 9 }, key: "secret" }],
  ])("takes %s for a violation, told once, and fails what is under way", async (_, sent) => {
    const { reply } = connection.request("a", {});
    if (Buffer.isBuffer(sent)) kernel.channel.onBytes?.(sent);
    else kernel.speak(sent);
    kernel.channel.onBytes?.(Buffer.from("more garbage"));
    expect(violations).toHaveLength(1);
    await expect(reply).rejects.toMatchObject({ code: "kernel/protocol-violation" });
  });

  it("drops a reply that nobody waits for", () => {
    kernel.speak({ type: "response", id: 99, value: 1, key: "secret" });
    expect(violations).toEqual([]);
  });

  it("fails requests after its end with the first reason, and aborts what it serves", async () => {
    let aborted: unknown;
    serve = ({ withdrawal: { signal } }) =>
      new Promise(() =>
        signal.addEventListener("abort", () => {
          aborted = signal.reason;
        }),
      );
    kernel.speak({ type: "request", id: 1, method: "m", params: null, key: "secret" });
    const reason = new ArtificerError("kernel/crashed", "gone");
    connection.end(reason);
    connection.end(new ArtificerError("kernel/closed", "later"));
    await expect(connection.request("a", {}).reply).rejects.toBe(reason);
    expect(aborted).toBe(reason);
  });
});
