import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Certificate,
  createCertificate,
  freePort,
  type OwnService,
  startOwnRedis,
} from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openRedisStorage } from "../src/open-redis-storage.js";

let folder: string;
let certificate: Certificate;
let server: OwnService;
let tlsUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "artificer-tls-"));
  certificate = await createCertificate(folder);
  const { certFile, keyFile } = certificate;
  // Beside the plain port, which tells that the server is ready.
  const tlsPort = await freePort();
  const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile];
  server = await startOwnRedis(["--tls-port", String(tlsPort), "--tls-auth-clients", "no", ...files]);
  tlsUrl = `rediss://127.0.0.1:${tlsPort}`;
});
afterAll(async () => {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("a server is written to, read from and listened to over TLS [P8]", async () => {
  const client = createClient({ url: tlsUrl, disableOfflineQueue: true, socket: { tls: true, ca: certificate.cert } });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.destroy());
  const storage = await openRedisStorage({ client, prefix: "tls" });
  let heard = 0;
  await storage.watch?.subscribe("", () => heard++);
  for (let n = 0; heard === 0; n++) {
    await storage.records.put("k", { n });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await storage.blobs.write("large", Buffer.alloc(600_000));
  expect((await storage.blobs.stat("large"))?.size).toBe(600_000);
  await storage.close();
});

test("a certificate that nobody trusts is refused, with a hint", async () => {
  await expect(openRedisStorage({ url: tlsUrl })).rejects.toMatchObject({
    code: "storage/unavailable",
    hint: expect.any(String),
  });
});
