import { execFile } from "node:child_process";
import { chown, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { acceptsClients } from "./accepts-clients.js";
import type { Certificate } from "./create-certificate.js";
import { findProgram, postgresFolders } from "./find-program.js";
import { onFreePort } from "./on-free-port.js";
import { onSmallDisk } from "./on-small-disk.js";
import type { OwnService, Service } from "./service.js";
import { serviceAt } from "./service-at.js";
import { type ServerProcess, startServer } from "./start-server.js";

/**
 * The PostgreSQL server for a test file: the one at ARTIFICER_TEST_POSTGRES_URL when it is given, or else one of our own.
 * Tests keep apart by schemas.
 */
export async function startPostgres(): Promise<Service> {
  return serviceAt("ARTIFICER_TEST_POSTGRES_URL", 5432) ?? (await startOwnPostgres());
}

export interface OwnPostgresOptions {
  /** Encrypts connections with it, and takes no other ones. */
  certificate?: Certificate;
  /** A disk of so many megabytes, at `small` beside the data, for a tablespace. As root only. */
  smallDiskMegabytes?: number;
}

/** A PostgreSQL server on a free port, with its data in a scratch folder, made from the programs on this machine. */
export async function startOwnPostgres(options: OwnPostgresOptions = {}): Promise<OwnService & { folder: string }> {
  const wanted = { folders: postgresFolders, debianPackage: "postgresql" };
  const bin = dirname(await findProgram({ ...wanted, name: "initdb" }));
  const folder = await mkdtemp(join(tmpdir(), "artificer-postgres-"));
  const owner = await unprivileged();
  const give = async (path: string) => owner && chown(path, owner.uid, owner.gid);
  await give(folder);
  const data = join(folder, "data");
  const [init = "", ...initArgs] = [...(owner?.command ?? []), join(bin, "initdb"), "-D", data, "-U", "postgres"];
  const shape = ["-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(init, [...initArgs, ...shape], { cwd: folder });

  const settings: Record<string, string> = { fsync: "off", max_connections: "200", timezone: "UTC" };
  const { certificate, smallDiskMegabytes } = options;
  if (certificate !== undefined) {
    const files = { ssl_cert_file: certificate.certFile, ssl_key_file: certificate.keyFile };
    for (const [name, file] of Object.entries(files)) {
      settings[name] = join(folder, name);
      await copyFile(file, join(folder, name));
      await give(join(folder, name));
    }
    settings.ssl = "on";
    settings.hba_file = join(folder, "hba");
    await writeFile(settings.hba_file, "hostssl all all 127.0.0.1/32 trust\n");
  }
  const command = [...(owner?.command ?? []), join(bin, "postgres"), "-D", data, "-k", folder];
  command.push("-c", "listen_addresses=127.0.0.1");
  for (const [name, value] of Object.entries(settings)) command.push("-c", `${name}=${value}`);
  if (smallDiskMegabytes !== undefined) {
    const small = join(folder, "small");
    await mkdir(small);
    command.unshift(...(onSmallDisk(small, { megabytes: smallDiskMegabytes, owner }) ?? []));
  }
  const start = (port: number): Promise<ServerProcess> =>
    startServer([...command, "-p", `${port}`], () => acceptsPostgres(port), { cwd: folder });
  const { port, started } = await onFreePort(start);
  let server = started;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    host: "127.0.0.1",
    port,
    folder,
    async restart({ crash = false } = {}) {
      // SIGQUIT is PostgreSQL's way to end at once: its workers end too, and the data is mended at the next start.
      await server.stop(crash ? "SIGQUIT" : "SIGINT");
      server = await start(port);
    },
    async stop() {
      await server.stop("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. @returns the user it is run as then, and what comes before a command. */
async function unprivileged(): Promise<{ uid: number; gid: number; command: string[] } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const run = promisify(execFile);
  const id = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  const command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=QUIT"];
  return { uid: await id("-u"), gid: await id("-g"), command };
}

/** Whether the server lets a client in; before it is ready it does not, or closes the door. */
function acceptsPostgres(port: number): Promise<boolean> {
  // A start-up packet for user postgres, database postgres: `R` says welcome, and so does an error of authorisation; 57P03, that it is still starting.
  const text = Buffer.from("user\0postgres\0database\0postgres\0\0");
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.byteLength + text.byteLength, 0);
  head.writeInt32BE(196_608, 4);
  const isReady = (answer: Buffer) => answer[0] === 0x52 || (answer[0] === 0x45 && answer.includes("28000"));
  return acceptsClients(port, Buffer.concat([head, text]), isReady);
}
