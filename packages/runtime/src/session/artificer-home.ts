import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The user's own folder: `ARTIFICER_HOME`, else `~/.artificer`. */
export function artificerHome(host: Readonly<Record<string, string | undefined>> = process.env): string {
  const moved = host.ARTIFICER_HOME;
  return moved === undefined || moved === "" ? join(homedir(), ".artificer") : resolve(moved);
}
