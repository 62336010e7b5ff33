import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificate, createCertificate, type OwnService, startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgresStorage } from "../src/open/open-postgres-storage.js";

let folder: string;
let certificate: Certificate;
let server: OwnService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "artificer-tls-"));
  certificate = await createCertificate(folder);
  server = await startOwnPostgres({ certificate });
});
afterAll(async () => {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("a server that takes TLS alone is written to, read from and listened to over it, by URL and by pool [P8]", async () => {
  const rootFile = encodeURIComponent(certificate.certFile);
  const pool = new pg.Pool({ connectionString: server.url, ssl: { ca: certificate.cert } });
  onTestFinished(() => pool.end());
  const url = `${server.url}?sslmode=verify-full&sslrootcert=${rootFile}`;
  for (const options of [{ url }, { pool }]) {
    const storage = await openPostgresStorage({ ...options, tenant: "url" in options ? "a" : "b" });
    let heard = 0;
    await storage.watch?.subscribe("", () => heard++);
    for (let n = 0; heard === 0; n++) {
      await storage.records.put("k", { n });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await storage.blobs.write("large", Buffer.alloc(600_000));
    expect((await storage.blobs.stat("large"))?.size).toBe(600_000);
    await storage.close();
  }
});

test("a certificate that nobody trusts, and a line without TLS, are refused with a way to mend it", async () => {
  for (const url of [`${server.url}?sslmode=verify-full`, server.url]) {
    await expect(openPostgresStorage({ url })).rejects.toMatchObject({
      code: "storage/unavailable",
      hint: expect.stringContaining("sslmode"),
    });
  }
});
