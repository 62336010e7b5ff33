export { type Certificate, createCertificate } from "./create-certificate.js";
export { findRedisServers, type RedisKind, type RedisServer } from "./find-redis-servers.js";
export { freePort } from "./free-port.js";
export { isRunning } from "./is-running.js";
export type { OwnService, Service } from "./service.js";
export { type DroppingProxy, startDroppingProxy } from "./start-dropping-proxy.js";
export { type OwnPostgresOptions, startOwnPostgres, startPostgres } from "./start-postgres.js";
export { type OwnRedisOptions, startOwnRedis, startRedis } from "./start-redis.js";
