import type { Service } from "./service.js";

/** The server whose address a variable of the environment gives; undefined when it gives none. It is not ours to stop. */
export function serviceAt(variable: string, usualPort: number): Service | undefined {
  const url = process.env[variable];
  if (url === undefined || url === "") return undefined;
  const { hostname, port } = new URL(url);
  return { url, host: hostname || "127.0.0.1", port: Number(port || usualPort), stop: async () => {} };
}
