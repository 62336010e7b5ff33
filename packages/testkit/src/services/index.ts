export type { OwnService, Service } from "./service.js";
export { type DroppingProxy, startDroppingProxy } from "./start-dropping-proxy.js";
export { startOwnPostgres, startPostgres } from "./start-postgres.js";
export { startOwnRedis, startRedis } from "./start-redis.js";
