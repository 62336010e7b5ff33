import { script } from "./script.js";

/** An expected revision as scripts are told it: `any`, `absent`, or `=` and the revision. */
export function expectation(ifRevision: string | null | undefined): string {
  if (ifRevision === undefined) return "any";
  return ifRevision === null ? "absent" : `=${ifRevision}`;
}

/**
 * What scripts begin with that change something. A stored value begins with its revision and a bar.
 * They give 1 when it was changed, 0 when nothing was there to change, and the stored revision, or nil, when the expected one was another.
 */
export const compare = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
local revision = stored and string.match(stored, '^[^|]*')
local expected = ARGV[2]
if expected ~= 'any' and expected ~= (revision and '=' .. revision or 'absent') then return {'conflict', revision} end
`;

/**
 * What scripts call that changed something. The version is the time in microseconds, or one more than the last: a server that
 * was emptied, or lost its last writes, does not give one again that somebody knows. Whoever may not publish goes without.
 */
export const telling = `
local function tell(versions)
  local scope = string.match(ARGV[1], '^[^/]*/') or ''
  local time = redis.call('TIME')
  local last = tonumber(redis.call('HGET', versions, scope) or '0')
  redis.call('HSET', versions, scope, string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2])))
  redis.pcall('PUBLISH', versions, scope)
end
`;

/** KEYS: values, keys, versions. ARGV: key, expectation, revision|value. What may find no room comes first, while nothing is changed. */
export const putRecord = script(`${compare}${telling}
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
tell(KEYS[3])
return {'done'}
`);

/** KEYS: values, keys, versions. ARGV: key, expectation. */
export const deleteRecord = script(`${compare}${telling}
if not stored then return {'absent'} end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
tell(KEYS[3])
return {'done'}
`);

/** KEYS: values, keys. ARGV: least, greatest, count. Gives keys and values by turns, all of one moment. */
export const listValues = script(`
local keys = redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])
local found = {}
for _, key in ipairs(keys) do
  found[#found + 1] = key
  found[#found + 1] = redis.call('HGET', KEYS[1], key)
end
return found
`);
