import { execFile } from "node:child_process";
import { constants, openSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ArtificerError } from "@artificer/protocol";

/** How a kernel in a container reaches its host: a socket that it connects to, once, and a pipe for each output. */
export interface KernelLink {
  /** Where they are on the host, to be mounted one by one. */
  paths: { wire: string; stdout: string; stderr: string };
  connected: Promise<Socket>;
  output: { stdout: Socket; stderr: Socket };
  /** Takes their names away: no more connections; what is connected stays. */
  close(): Promise<void>;
}

/**
 * Output goes through pipes of our own, since an engine's own way of attaching loses the order of the two. All is made in
 * a folder that this user alone can enter, and open to all in itself, since the user inside a container is another: who
 * can see it has been given it.
 *
 * @throws ArtificerError `executor/unavailable` where the system has no such pipes
 */
export async function openKernelLink(): Promise<KernelLink> {
  const folder = await mkdtemp(join(tmpdir(), "artificer-kernel-"));
  const paths = { wire: join(folder, "wire"), stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
  const server = createServer();
  server.maxConnections = 1;
  const connected = new Promise<Socket>((resolve) => {
    server.once("connection", (socket) => {
      server.close();
      resolve(socket);
    });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(paths.wire, resolve);
    });
    await chmod(paths.wire, 0o666);
    await promisify(execFile)("mkfifo", ["-m", "666", paths.stdout, paths.stderr]);
    const output = { stdout: readPipe(paths.stdout), stderr: readPipe(paths.stderr) };
    return {
      paths,
      connected,
      output,
      async close() {
        server.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    server.close();
    await rm(folder, { recursive: true, force: true });
    throw new ArtificerError("executor/unavailable", `A container's kernel can't be linked to: ${String(cause)}.`, {
      hint: "The container executor needs named pipes and Unix-domain sockets in the temporary folder: Linux has them.",
      cause,
    });
  }
}

/** Opened before there is a writer, which would else wait for us; read by events, not by a thread that blocks. */
function readPipe(path: string): Socket {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
