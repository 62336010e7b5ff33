import { statfs } from "node:fs/promises";
import { ArtificerError } from "@artificer/protocol";
import type { PGlite } from "@electric-sql/pglite";
import { type Message, readMessage } from "./wire-message.js";

/**
 * Free bytes below which nothing is written. PostgreSQL writes its log in files of 16 MiB; where it can't begin one it does not refuse the
 * statement, it gives up, and the embedded one then runs in circles at the next call, with the whole process.
 */
const roomToWriteBytes = 40 * 1024 * 1024;
/** Deleting needs little, and makes room. */
const roomToDeleteBytes = 20 * 1024 * 1024;
/** A value lies in the log and in its table, perhaps twice. */
const copies = 3;

/**
 * Keeps an embedded database in a folder from being harmed by a full disk: a statement that would write is refused as the server refuses it
 * (SQLSTATE 53100) while there is still room for the log. Should the database give up all the same (the room was taken meanwhile, or a quota
 * counts), nothing is asked of it any more.
 *
 * @returns whether the database can still be closed: one that gave up can't.
 */
export function guardClient(client: PGlite, folder: string): () => boolean {
  let ended: ArtificerError | undefined;
  let needs = 0;

  const admit = async (message: Message) => {
    if (message.sql !== undefined) needs = roomFor(message.sql);
    if (needs === 0 || message.kind === "other") return;
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < needs + copies * message.bytes) throw diskFull(folder, free);
  };
  const guarded =
    <R>(original: (bytes: Uint8Array, options?: object) => Promise<R>, nothing: R) =>
    async (bytes: Uint8Array, options?: object): Promise<R> => {
      const message = readMessage(bytes);
      // What closes a statement that failed must not take the place of why it failed.
      if (ended !== undefined && message.closes) return nothing;
      if (ended !== undefined) throw ended;
      await admit(message);
      try {
        return await original.call(client, bytes, options);
      } catch (error) {
        if (["PANIC", "FATAL"].includes(String((error as { severity?: unknown }).severity)))
          ended = gaveUp(folder, error);
        throw error;
      }
    };
  client.execProtocol = guarded(client.execProtocol, { messages: [], data: new Uint8Array() });
  client.execProtocolStream = guarded(client.execProtocolStream, []);
  return () => ended === undefined;
}

function roomFor(sql: string): number {
  const verb = /^\s*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? "";
  if (["insert", "update", "create", "alter"].includes(verb)) return roomToWriteBytes;
  return verb === "delete" ? roomToDeleteBytes : 0;
}

/** As the server says it. */
function diskFull(folder: string, freeBytes: number): Error {
  const free = `${(freeBytes / 2 ** 20).toFixed(1)} MiB`;
  return Object.assign(new Error(`the disk of ${folder} has ${free} left, too little for the database's log`), {
    code: "53100",
    severity: "ERROR",
  });
}

function gaveUp(folder: string, cause: unknown): ArtificerError {
  const { message } = cause as Error;
  return new ArtificerError("storage/unavailable", `The embedded database in ${folder} gave up: ${message}`, {
    details: { folder },
    hint: "Make room on its disk, close the storage and open it again: what was acknowledged is there.",
    cause,
  });
}
