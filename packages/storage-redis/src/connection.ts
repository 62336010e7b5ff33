import type { CallGate } from "@artificer/protocol";
import { RESP_TYPES } from "@redis/client";
import type { Connected } from "./connect-client.js";
import type { Keyspace } from "./keyspace.js";
import type { Argument } from "./redis-client.js";
import { redisError } from "./redis-error.js";
import type { Script } from "./scripts/script.js";

/** Strings of a reply as bytes, or as text where all of them are known to be: text is made in a third of the time. */
export type ReplyStrings = "bytes" | "text";

// RESP 3 has maps where RESP 2 has flat lists: lists keep their order.
const typeMappings = {
  bytes: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.MAP]: Array },
  text: { [RESP_TYPES.MAP]: Array },
};

/** Commands to the server, whose failures come as errors of ours. */
export interface Connection {
  /** @param strings default bytes */
  run(doing: "read" | "write", args: Argument[], strings?: ReplyStrings): Promise<unknown>;
  /** Runs a script as one step; the server is given its text when it doesn't have it. */
  script(doing: "read" | "write", script: Script, keys: string[], args: Argument[]): Promise<unknown>;
}

/** What records and blobs of one opening share. */
export interface RedisBase {
  readonly connection: Connection;
  readonly keys: Keyspace;
  readonly gate: CallGate;
  /** Calls of one kind that may wait for the server at once. */
  readonly maxWaiting: number;
  /** What those beyond that are refused with. */
  tooMany(doing: "read" | "write"): unknown;
}

/** @param anyKey all keys are in one slot: any of them finds the server. */
export function createConnection({ client, name, line }: Connected, anyKey: string): Connection {
  const ask = (args: Argument[], strings: ReplyStrings) => {
    const options = { typeMapping: typeMappings[strings] };
    const send = () =>
      "slots" in client ? client.sendCommand(anyKey, false, args, options) : client.sendCommand(args, options);
    const waiting = line?.untilReady();
    return waiting === undefined ? send() : waiting.then(send);
  };
  const run: Connection["run"] = async (doing, args, strings = "bytes") => {
    try {
      return await ask(args, strings);
    } catch (error) {
      throw redisError(error, doing, name);
    }
  };
  return {
    run,
    async script(doing, { sha1, source, strings }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await ask(["EVALSHA", sha1, ...rest], strings);
      } catch (error) {
        // It forgets scripts when it is started again.
        if (error instanceof Error && error.message.startsWith("NOSCRIPT"))
          return run(doing, ["EVAL", source, ...rest], strings);
        throw redisError(error, doing, name);
      }
    },
  };
}

/** A script's reply: what came of it, and one thing more. */
export function outcomeOf(reply: unknown): { outcome: string; detail: string | undefined } {
  const [outcome, detail] = reply as [Buffer, Buffer | null | undefined];
  return { outcome: outcome.toString(), detail: detail?.toString() };
}
