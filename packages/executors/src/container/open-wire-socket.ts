import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Unix-domain socket that one kernel connects to, once. */
export interface WireSocket {
  path: string;
  connected: Promise<Socket>;
  /** No more connections; the one that was made stays. */
  close(): Promise<void>;
}

/**
 * Listens in a folder that this user alone can enter. The socket itself is open to all, since the user inside a container
 * is another: who can see it has been given it.
 */
export async function openWireSocket(): Promise<WireSocket> {
  const folder = await mkdtemp(join(tmpdir(), "artificer-wire-"));
  const path = join(folder, "wire");
  const server = createServer();
  const connected = new Promise<Socket>((resolve) => {
    server.on("connection", (socket) => {
      server.close();
      resolve(socket);
    });
  });
  server.maxConnections = 1;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o666);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    connected,
    async close() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
