import type { FetchLike } from "@modelcontextprotocol/client";
import { fetchWithinOrigin } from "./follow-redirects.js";
import { createLineSplitter } from "./line-splitter.js";
import { answeredId, standIn, standInCodes } from "./stand-in-answer.js";

/**
 * `fetch` for a remote server's transport that never holds more than `maxBytes` of one message, and never leaves a request
 * without an answer: an oversized or broken-off answer is replaced by an error in its place.
 */
export function createCappedFetch(maxBytes: number, fetchWith: FetchLike = fetchWithinOrigin): FetchLike {
  return async (url, init) => {
    const response = await fetchWith(url, init);
    if (response.body === null || !response.ok) return response;
    const id = requestId(init?.body);
    const type = response.headers.get("content-type") ?? "";
    const body = type.includes("text/event-stream")
      ? response.body.pipeThrough(capEvents(maxBytes, id))
      : await capWhole(response.body, maxBytes, id);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function requestId(body: unknown): number | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined;
  return "id" in message && typeof message.id === "number" ? message.id : undefined;
}

async function capWhole(stream: ReadableStream<Uint8Array>, maxBytes: number, id: number | undefined) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return JSON.stringify(standIn("tooLarge", id ?? 0, `The server's answer has more than ${maxBytes} bytes.`));
    }
    chunks.push(value);
  }
}

/** Passes server-sent events on line by line, for a message is one line in every server's practice. */
function capEvents(maxBytes: number, id: number | undefined): TransformStream<Uint8Array, Uint8Array> {
  let answered = false;
  let resumable = false;
  let eventBytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>(
    (() => {
      let take: (chunk: Buffer) => void;
      return {
        start(controller) {
          let over = false;
          const say = (text: string) => {
            if (!over) controller.enqueue(Buffer.from(text));
          };
          take = createLineSplitter(
            { maxBytes, floodBytes: 4 * maxBytes },
            {
              line(text) {
                eventBytes = text === "" ? 0 : eventBytes + text.length;
                if (eventBytes > maxBytes) return controller.error(new Error(`An event of over ${maxBytes} bytes.`));
                if (text.startsWith("id:")) resumable = true;
                if (id !== undefined && text.startsWith("data:") && isAnswer(text, id)) answered = true;
                say(`${text}\n`);
              },
              oversized(head, tail, bytes) {
                const whose = answeredId(head, tail) ?? id;
                if (whose === undefined) return;
                if (whose === id) answered = true;
                say(`data: ${JSON.stringify(standIn("tooLarge", whose, `The server's answer has ${bytes} bytes.`))}\n`);
              },
              flood(bytes) {
                if (id === undefined) return controller.error(new Error(`A message of over ${bytes} bytes.`));
                answered = true;
                const message = `The server's answer has more than ${bytes} bytes.`;
                say(`\ndata: ${JSON.stringify(standIn("tooLarge", id, message))}\n\n`);
                over = true;
                controller.terminate();
              },
            },
          );
        },
        transform(chunk) {
          take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        },
        flush(controller) {
          // A stream whose events bear ids is resumed by the transport itself.
          if (id === undefined || answered || resumable) return;
          const lost = standIn("lost", id, "The server ended the stream before it answered.");
          controller.enqueue(Buffer.from(`\n\ndata: ${JSON.stringify(lost)}\n\n`));
        },
      };
    })(),
  );
}

function isAnswer(line: string, id: number): boolean {
  if (!line.includes(`"id":${id}`) && !line.includes(`"id": ${id}`)) return false;
  return line.includes('"result"') || line.includes('"error"') || line.includes(String(standInCodes.garbage));
}
