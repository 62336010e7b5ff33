import type { CallGate } from "@artificer/protocol";
import { RESP_TYPES } from "@redis/client";
import type { Keyspace } from "./keyspace.js";
import type { Argument, RedisClient, RedisCluster } from "./redis-client.js";
import { redisError } from "./redis-error.js";
import type { Script } from "./scripts/script.js";

/** Replies as bytes: what is text in them is ours to know. */
const options = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

/** Commands to the server, whose failures come as errors of ours. */
export interface Connection {
  run(doing: "read" | "write", args: Argument[]): Promise<unknown>;
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

export function createConnection(client: RedisClient | RedisCluster, name: string, anyKey: string): Connection {
  // All keys are in one slot: any of them finds the server.
  const send = (args: Argument[]) =>
    "slots" in client ? client.sendCommand(anyKey, false, args, options) : client.sendCommand(args, options);
  const run: Connection["run"] = async (doing, args) => {
    try {
      return await send(args);
    } catch (error) {
      throw redisError(error, doing, name);
    }
  };
  return {
    run,
    async script(doing, { sha1, source }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(["EVALSHA", sha1, ...rest]);
      } catch (error) {
        // It forgets scripts when it is started again.
        if (error instanceof Error && error.message.startsWith("NOSCRIPT"))
          return run(doing, ["EVAL", source, ...rest]);
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
