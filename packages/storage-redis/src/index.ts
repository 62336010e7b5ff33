export { openRedisKeys, type RedisKeys } from "./open-redis-keys.js";
export { openRedisStorage, type RedisStorageOptions } from "./open-redis-storage.js";
export { readRedisVersion } from "./read-redis-version.js";
export type { Argument, RedisClient, RedisCluster } from "./redis-client.js";
