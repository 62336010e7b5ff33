import pg from "pg";
import { type OpenChangeChannel, scopesIn } from "./change-channel.js";

const firstPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Listens by a connection of its own, made as the pool makes them, so that none of the pool's is missing. One that is lost is made
 * anew, again and again; what was said meanwhile is lost, and told as such.
 */
export function serverChannel(pool: pg.Pool): OpenChangeChannel {
  return async (channel, heard) => {
    let client: pg.Client | undefined;
    let closed = false;
    let retry: NodeJS.Timeout | undefined;

    const listen = async (): Promise<void> => {
      const own = new pg.Client(pool.options);
      let listening = false;
      own.on("notification", ({ payload }) => heard(scopesIn(payload)));
      // An error is followed by the end.
      own.on("error", () => {});
      own.on("end", () => {
        if (listening && !closed) again(firstPauseMs);
      });
      try {
        await own.connect();
        await own.query(`LISTEN ${channel}`);
      } catch (error) {
        await own.end().catch(() => {});
        throw error;
      }
      listening = true;
      client = own;
      if (closed) await own.end();
    };
    const again = (pauseMs: number): void => {
      const attempt = async () => {
        try {
          await listen();
          heard(undefined);
        } catch {
          if (!closed) again(Math.min(2 * pauseMs, longestPauseMs));
        }
      };
      retry = setTimeout(() => void attempt(), pauseMs).unref();
    };

    await listen();
    return {
      async close() {
        closed = true;
        clearTimeout(retry);
        await client?.end();
      },
    };
  };
}
