import { script } from "./script.js";

/**
 * A lease is stored as token|milliseconds at which its time is up, by the server's clock; 0 when it was released. It stays there, so that tokens
 * go on growing.
 */
const holding = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HGET', KEYS[1], ARGV[1])
local token, untilMs = string.match(stored or '0|0', '^(%d+)|(%d+)$')
local isHeld = tonumber(untilMs) > now
local function keep(newToken, newUntil)
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%s|%.0f', newToken, newUntil))
end
`;

/** KEYS: leases. ARGV: key, milliseconds. Gives the token, or nothing while it is held. */
export const acquireLease = script(`${holding}
if isHeld then return false end
local nextToken = string.format('%.0f', tonumber(token) + 1)
keep(nextToken, now + tonumber(ARGV[2]))
return nextToken
`);

/** KEYS: leases. ARGV: key, milliseconds from now, or 0 to release it, token. Gives 1 when it was held by that token. */
export const changeLease = script(`${holding}
if not isHeld or token ~= ARGV[3] then return 0 end
if ARGV[2] == '0' then keep(token, 0) else keep(token, now + tonumber(ARGV[2])) end
return 1
`);
