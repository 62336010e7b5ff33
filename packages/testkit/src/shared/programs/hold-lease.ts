// hold-lease TARGET HOURS: with a wall clock that is so many hours off, takes leases and tells of it, then stays until it is killed.
import { openTarget, type ProgramTarget } from "../shared-storage.js";

const [target = "", hours] = process.argv.slice(2);
const offsetMs = Number(hours) * 3_600_000;
const now = Date.now.bind(Date);
Date.now = () => now() + offsetMs;

const { leases, records } = await openTarget(JSON.parse(target) as ProgramTarget);
const long = await leases?.acquire("clock/long", { ttlMs: 3_600_000 });
const short = await leases?.acquire("clock/short", { ttlMs: 300 });
// A clock that jumps while they are held.
Date.now = () => now() - offsetMs;
const renewed = long !== undefined && (await leases?.renew(long, { ttlMs: 3_600_000 }));
await records.put("clock/record", { hours: Number(hours) });
console.log(JSON.stringify({ long, short, renewed }));
setInterval(() => {}, 60_000);
