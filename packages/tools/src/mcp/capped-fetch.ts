import type { FetchLike } from "@modelcontextprotocol/client";
import { fetchWithinOrigin } from "./follow-redirects.js";
import { createLineSplitter } from "./line-splitter.js";
import { createDepthScanner, maxMessageDepth } from "./message-depth.js";
import { answeredId, isQuestion, standIn, standInCodes } from "./stand-in-answer.js";

/** As much of a refusal's text as anybody reads. */
const maxRefusalBytes = 64 * 1024;
const headChars = 512;
const tooDeep = `The server answered with something that is nested over ${maxMessageDepth} levels deep.`;

/**
 * `fetch` for a remote server's transport that never holds more than `maxBytes` of one message, and never leaves a request
 * without an answer: an answer that is oversized, broken off or nested without end is replaced by an error in its place.
 */
export function createCappedFetch(maxBytes: number): FetchLike {
  return async (url, init) => {
    const response = await fetchWithinOrigin(url, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const answer = await capBody(response, response.body, { maxBytes, id: requestId(init?.body) });
    return new Response(answer, { status, statusText, headers });
  };
}

async function capBody(
  { ok, headers }: Response,
  body: ReadableStream<Uint8Array>,
  { maxBytes, id }: { maxBytes: number; id: number | undefined },
): Promise<string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (!ok) return new Uint8Array((await readAtMost(body, Math.min(maxBytes, maxRefusalBytes))).bytes);
  if ((headers.get("content-type") ?? "").includes("text/event-stream"))
    return body.pipeThrough(capEvents(maxBytes, id));
  const { bytes, whole } = await readAtMost(body, maxBytes);
  if (!whole)
    return JSON.stringify(standIn("tooLarge", id ?? 0, `The server's answer has more than ${maxBytes} bytes.`));
  // Brackets and quotes are what they are in any reading of the bytes.
  const deep = createDepthScanner(maxMessageDepth)(bytes.toString("latin1"));
  return deep ? JSON.stringify(standIn("garbage", id ?? 0, tooDeep)) : new Uint8Array(bytes);
}

function requestId(body: unknown): number | undefined {
  if (typeof body !== "string") return undefined;
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined;
  return "id" in message && typeof message.id === "number" ? message.id : undefined;
}

async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(chunks), whole: true };
    bytes += value.byteLength;
    chunks.push(value);
    if (bytes > maxBytes) {
      await reader.cancel();
      return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: false };
    }
  }
}

/** Passes server-sent events on line by line, for a message is one line in every server's practice. */
function capEvents(maxBytes: number, id: number | undefined): TransformStream<Uint8Array, Uint8Array> {
  let answered = false;
  let resumable = false;
  let eventBytes = 0;
  let event = newEvent();
  return new TransformStream<Uint8Array, Uint8Array>(
    (() => {
      let take: (chunk: Buffer) => void;
      return {
        start(controller) {
          let over = false;
          const say = (text: string) => {
            if (!over) controller.enqueue(Buffer.from(text));
          };
          /** A message over several lines has been passed on in part: it is ended, so that what comes in its place is read by itself. */
          const drop = (text: string) => {
            event.dropped = true;
            const whose = isQuestion(event.head) ? undefined : (answeredId(event.head, text.slice(-headChars)) ?? id);
            if (whose === id && id !== undefined) answered = true;
            if (event.passedOn) say("\n");
            if (whose !== undefined) say(`data: ${JSON.stringify(standIn("garbage", whose, tooDeep))}\n`);
          };
          take = createLineSplitter(
            { maxBytes, floodBytes: 4 * maxBytes },
            {
              line(text) {
                eventBytes = text === "" ? 0 : eventBytes + text.length;
                if (eventBytes > maxBytes) return controller.error(new Error(`An event of over ${maxBytes} bytes.`));
                if (text === "") event = newEvent();
                if (event.dropped) return;
                if (text.startsWith("id:")) resumable = true;
                if (text.startsWith("data:")) {
                  const piece = text.slice("data:".length);
                  event.head = (event.head + piece.slice(0, headChars)).slice(0, headChars);
                  if (event.nestsTooDeep(piece)) return drop(text);
                  event.passedOn = true;
                }
                if (id !== undefined && text.startsWith("data:") && isAnswer(text, id)) answered = true;
                say(`${text}\n`);
              },
              oversized(head, tail, bytes) {
                const whose = isQuestion(head) ? undefined : (answeredId(head, tail) ?? id);
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

/** What is known of the event whose lines are coming in. */
function newEvent() {
  return {
    nestsTooDeep: createDepthScanner(maxMessageDepth),
    /** The beginning of its data. */
    head: "",
    passedOn: false,
    dropped: false,
  };
}

function isAnswer(line: string, id: number): boolean {
  if (!line.includes(`"id":${id}`) && !line.includes(`"id": ${id}`)) return false;
  return line.includes('"result"') || line.includes('"error"') || line.includes(String(standInCodes.garbage));
}
