import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./find-program.js";
import type { OwnService, Service } from "./service.js";
import { freePort, type ServerProcess, startServer } from "./start-server.js";

/** The Redis server for a test file: the one at ARTIFICER_TEST_REDIS_URL when it is given, or else one of our own. Tests keep apart by prefixes. */
export async function startRedis(): Promise<Service> {
  const url = process.env.ARTIFICER_TEST_REDIS_URL;
  if (url === undefined || url === "") return startOwnRedis();
  const { hostname, port } = new URL(url);
  return { url, host: hostname || "127.0.0.1", port: Number(port || 6379), stop: async () => {} };
}

/**
 * A Redis (or Valkey) server on a free port, with its data in a scratch folder, written to disk before each acknowledgement.
 *
 * @param settings further settings, such as `["--maxmemory", "10mb"]`.
 */
export async function startOwnRedis(settings: string[] = []): Promise<OwnService> {
  const program = await findProgram({ name: "redis-server", debianPackage: "redis-server" });
  const folder = await mkdtemp(join(tmpdir(), "artificer-redis-"));
  const port = await freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const command = [program, "--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, ...durable, ...settings];
  const start = () => startServer(command, () => acceptsRedis(port), { cwd: folder });
  let server: ServerProcess = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    host: "127.0.0.1",
    port,
    async restart({ crash = false } = {}) {
      await server.stop(crash ? "SIGKILL" : "SIGTERM");
      server = await start();
    },
    async stop() {
      await server.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the server answers PING, or asks for a password; while it loads its data it does neither. */
function acceptsRedis(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once("error", () => answer(false)).once("close", () => answer(false));
    socket.once("data", (data) => answer(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.write("PING\r\n");
  });
}
