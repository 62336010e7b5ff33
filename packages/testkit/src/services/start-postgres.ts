import { execFile } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findProgram, postgresFolders } from "./find-program.js";
import type { OwnService, Service } from "./service.js";
import { freePort, type ServerProcess, startServer } from "./start-server.js";

/**
 * The PostgreSQL server for a test file: the one at ARTIFICER_TEST_POSTGRES_URL when it is given, or else one of our own.
 * Tests keep apart by schemas.
 */
export async function startPostgres(): Promise<Service> {
  const url = process.env.ARTIFICER_TEST_POSTGRES_URL;
  if (url === undefined || url === "") return startOwnPostgres();
  const { hostname, port } = new URL(url);
  return { url, host: hostname || "127.0.0.1", port: Number(port || 5432), stop: async () => {} };
}

/** A PostgreSQL server on a free port, with its data in a scratch folder, made from the programs on this machine. */
export async function startOwnPostgres(): Promise<OwnService> {
  const wanted = { folders: postgresFolders, debianPackage: "postgresql" };
  const bin = dirname(await findProgram({ ...wanted, name: "initdb" }));
  const folder = await mkdtemp(join(tmpdir(), "artificer-postgres-"));
  const asOwner = await unprivileged(folder);
  const data = join(folder, "data");
  const [init = "", ...initArgs] = [...asOwner, join(bin, "initdb"), "-D", data, "-U", "postgres"];
  const shape = ["-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(init, [...initArgs, ...shape], { cwd: folder });

  const port = await freePort();
  const settings = { listen_addresses: "127.0.0.1", fsync: "off", max_connections: "200", timezone: "UTC" };
  const command = [...asOwner, join(bin, "postgres"), "-D", data, "-p", `${port}`, "-k", folder];
  for (const [name, value] of Object.entries(settings)) command.push("-c", `${name}=${value}`);
  const start = () => startServer(command, () => acceptsPostgres(port), { cwd: folder });
  let server: ServerProcess = await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    host: "127.0.0.1",
    port,
    async restart({ crash = false } = {}) {
      // SIGQUIT is PostgreSQL's way to end at once: its workers end too, and the data is mended at the next start.
      await server.stop(crash ? "SIGQUIT" : "SIGINT");
      server = await start();
    },
    async stop() {
      await server.stop("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. @returns what comes before a command. */
async function unprivileged(folder: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const run = promisify(execFile);
  const id = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  await chown(folder, await id("-u"), await id("-g"));
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=QUIT"];
}

/** Whether the server lets a client in; before it is ready it does not, or closes the door. */
function acceptsPostgres(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once("error", () => answer(false)).once("close", () => answer(false));
    // A start-up packet for user postgres, database postgres: `R` says welcome, `E` that it is still starting.
    const text = Buffer.from("user\0postgres\0database\0postgres\0\0");
    const head = Buffer.alloc(8);
    head.writeInt32BE(head.byteLength + text.byteLength, 0);
    head.writeInt32BE(196_608, 4);
    socket.once("data", (data) => answer(data[0] === 0x52));
    socket.write(Buffer.concat([head, text]));
  });
}
