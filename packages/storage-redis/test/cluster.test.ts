import { randomBytes } from "node:crypto";
import { testStorage } from "@artificer/testkit";
import { freePort, type OwnService, startOwnRedis } from "@artificer/testkit/services";
import { createClient, createCluster } from "@redis/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRedisStorage } from "../src/open-redis-storage.js";

let server: OwnService;
let cluster: ReturnType<typeof createCluster>;

// One server that has all slots refuses commands and scripts whose keys are in several, as any cluster does.
beforeAll(async () => {
  // The bus's own port is the other one and ten thousand unless it is told, which may be more than there are.
  server = await startOwnRedis(["--cluster-enabled", "yes", "--cluster-port", String(await freePort())]);
  const client = createClient({ url: server.url });
  client.on("error", () => {});
  await client.connect();
  await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  while (!String(await client.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok"))
    await new Promise((resolve) => setTimeout(resolve, 50));
  client.destroy();
  cluster = createCluster({ rootNodes: [{ url: server.url }], defaults: { disableOfflineQueue: true } });
  cluster.on("error", () => {});
  await cluster.connect();
});

afterAll(async () => {
  cluster?.destroy();
  await server?.stop();
});

testStorage("The Redis storage on a cluster", async () => {
  const options = { client: cluster, prefix: randomBytes(6).toString("hex") };
  const storage = await openRedisStorage(options);
  return { storage, reopen: () => openRedisStorage(options), close: () => storage.close() };
});

test("the cluster does refuse keys of several slots", async () => {
  await expect(cluster.sendCommand("a", false, ["MSET", "a", "1", "b", "2"])).rejects.toThrow(/CROSSSLOT/);
});
