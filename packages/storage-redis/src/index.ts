export { openRedisStorage, type RedisStorageOptions } from "./open-redis-storage.js";
export type { Argument, RedisClient, RedisCluster } from "./redis-client.js";
