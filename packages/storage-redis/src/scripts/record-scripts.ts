import { randomText } from "../random-text.js";
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

/** A version of changes that nobody has seen before: a server that was emptied, or lost its last writes, does not give one again that somebody knows. */
export function newVersion(): string {
  return randomText();
}

/** What scripts call that change something. Whoever may not publish goes without. */
export const telling = `
local function tell(versions, key, version)
  local scope = string.match(key, '^[^/]*/') or ''
  redis.call('HSET', versions, scope, version)
  redis.pcall('PUBLISH', versions, scope)
end
`;

/**
 * KEYS: values, keys, versions. ARGV: new version of changes, then by turns key, expectation, revision|value. Each is stored, or not, for
 * itself, in order: gives 1 when it is, else the revision that was found. All are written at once, what may find no room first, while
 * nothing is changed. Callers keep to what Lua's `unpack` can take, some thousands.
 */
export const putRecords = script(
  `
local replies, keys, values = {}, {}, {}
for index = 2, #ARGV, 3 do
  local key, expected = ARGV[index], ARGV[index + 1]
  local fits, revision = expected == 'any', false
  if not fits then
    local stored = values[key] or redis.call('HGET', KEYS[1], key)
    revision = stored and string.match(stored, '^[^|]*')
    fits = expected == (revision and '=' .. revision or 'absent')
  end
  if fits then
    if not values[key] then keys[#keys + 1] = key end
    values[key] = ARGV[index + 2]
    replies[#replies + 1] = 1
  else
    replies[#replies + 1] = revision
  end
end
if #keys == 0 then return replies end
local fields, members, scopes, told = {}, {}, {}, {}
for index, key in ipairs(keys) do
  fields[2 * index - 1], fields[2 * index] = key, values[key]
  members[2 * index - 1], members[2 * index] = '0', key
  local scope = string.match(key, '^[^/]*/') or ''
  if not told[scope] then
    told[scope] = true
    scopes[#scopes + 1] = scope
  end
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('ZADD', KEYS[2], unpack(members))
for _, scope in ipairs(scopes) do
  redis.call('HSET', KEYS[3], scope, ARGV[1])
  redis.pcall('PUBLISH', KEYS[3], scope)
end
return replies
`,
  { strings: "text" },
);

const deleting = `if not stored then return {'absent'} end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
tell(KEYS[3], ARGV[1], ARGV[3])
return {'done'}
`;

/** KEYS: end in that of leases. ARGV: ends in key of a lease, token. Gives what was found when another holding came after that one. */
const fencing = `
local newest = string.match(redis.call('HGET', KEYS[#KEYS], ARGV[#ARGV - 1]) or '', '^%d+')
if newest and tonumber(newest) > tonumber(ARGV[#ARGV]) then return {'fenced', newest} end
`;

/** KEYS: values, keys, versions, leases. ARGV: key, expectation, new version of changes, revision|value, key of a lease, token. */
export const putFenced = script(`${fencing}${compare}${telling}
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
tell(KEYS[3], ARGV[1], ARGV[3])
return {'done'}
`);

/** KEYS: values, keys, versions, leases. ARGV: key, expectation, new version of changes, key of a lease, token. */
export const deleteFenced = script(`${fencing}${compare}${telling}
${deleting}`);

/** KEYS: values, keys, versions. ARGV: key, expectation, new version of changes. */
export const deleteRecord = script(`${compare}${telling}
${deleting}`);

/**
 * KEYS: values, keys. ARGV: least, prefix, count (some thousands at most). Gives the keys, and their values in the same order, all of one
 * moment. No key holds the byte 0xff: all that begin with the prefix come before it.
 */
export const listValues = script(
  `
local keys = redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], '(' .. ARGV[2] .. '\\255', 'LIMIT', 0, ARGV[3])
if #keys == 0 then return {keys, keys} end
return {keys, redis.call('HMGET', KEYS[1], unpack(keys))}
`,
  { strings: "text" },
);
