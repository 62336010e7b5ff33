import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptsClients } from "./accepts-clients.js";
import { usualRedisProgram } from "./find-redis-servers.js";
import { onFreePort } from "./on-free-port.js";
import { onSmallDisk } from "./on-small-disk.js";
import type { OwnService, Service } from "./service.js";
import { serviceAt } from "./service-at.js";
import { type ServerProcess, startServer } from "./start-server.js";

/** The Redis server for a test file: the one at ARTIFICER_TEST_REDIS_URL when it is given, or else one of our own. Tests keep apart by prefixes. */
export async function startRedis(): Promise<Service> {
  return serviceAt("ARTIFICER_TEST_REDIS_URL", 6379) ?? (await startOwnRedis());
}

export interface OwnRedisOptions {
  /** Its data lie on a disk of so many megabytes. As root only. */
  smallDiskMegabytes?: number;
  /** Another program than the usual one: see `findRedisServers`. */
  program?: string;
}

/**
 * A Redis (or Valkey) server on a free port, with its data in a scratch folder, written to disk before each acknowledgement.
 *
 * @param settings further settings, such as `["--maxmemory", "10mb"]`.
 */
export async function startOwnRedis(settings: string[] = [], options: OwnRedisOptions = {}): Promise<OwnService> {
  const { program = await usualRedisProgram() } = options;
  const folder = await mkdtemp(join(tmpdir(), "artificer-redis-"));
  const data = join(folder, "data");
  await mkdir(data);
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const { smallDiskMegabytes: megabytes } = options;
  const disk = megabytes === undefined ? [] : (onSmallDisk(data, { megabytes }) ?? []);
  const start = (port: number): Promise<ServerProcess> => {
    const command = [program, "--port", `${port}`, "--bind", "127.0.0.1", "--dir", data, ...durable, ...settings];
    return startServer([...disk, ...command], () => acceptsRedis(port), { cwd: folder });
  };
  const { port, started } = await onFreePort(start);
  let server = started;
  return {
    url: `redis://127.0.0.1:${port}`,
    host: "127.0.0.1",
    port,
    async restart({ crash = false } = {}) {
      await server.stop(crash ? "SIGKILL" : "SIGTERM");
      server = await start(port);
    },
    async stop() {
      await server.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the server answers PING, or asks for a password; while it loads its data it does neither. */
function acceptsRedis(port: number): Promise<boolean> {
  return acceptsClients(port, "PING\r\n", (answer) => /^(\+PONG|-NOAUTH)/.test(answer.toString()));
}
