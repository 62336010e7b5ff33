import { compare, telling } from "./record-scripts.js";
import { script } from "./script.js";

/**
 * What is known of a blob is stored as revision|milliseconds|size|version|metadata; the version is empty for a small one.
 * The version that is replaced is told by the caller, since a script must name its keys beforehand; when it is another by now, the script says so.
 */
const replacing = `${compare}${telling}
local version = stored and string.match(stored, '^[^|]*|[^|]*|[^|]*|([^|]*)|') or ''
if version ~= ARGV[3] then return {'other', version} end
`;

/**
 * KEYS: blobs, keys, small blobs, chunks of the replaced version, chunks of the new one, versions.
 * ARGV: key, expectation, replaced version, seconds that it is kept, revision, size, version, metadata, chunks, bytes, new version of changes.
 * A version whose chunks are not all there (it stood still so long that it was cleared away) becomes nothing.
 */
export const writeBlob = script(`${replacing}
if ARGV[7] ~= '' and redis.call('HLEN', KEYS[5]) ~= tonumber(ARGV[9]) then return {'lost'} end
local time = redis.call('TIME')
local updated = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], ARGV[1], table.concat({ARGV[5], updated, ARGV[6], ARGV[7], ARGV[8]}, '|'))
redis.call('ZADD', KEYS[2], 0, ARGV[1])
if ARGV[7] == '' then
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[10])
else
  redis.call('PERSIST', KEYS[5])
  redis.call('HDEL', KEYS[3], ARGV[1])
end
if version ~= '' then redis.call('EXPIRE', KEYS[4], ARGV[4]) end
tell(KEYS[6], ARGV[1], ARGV[11])
return {'done', updated}
`);

/** KEYS: blobs, keys, small blobs, chunks of the version, versions. ARGV: key, expectation, version, seconds that it is kept, new version of changes. */
export const deleteBlob = script(`${replacing}
if not stored then return {'absent'} end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
if version ~= '' then redis.call('EXPIRE', KEYS[4], ARGV[4]) end
tell(KEYS[5], ARGV[1], ARGV[5])
return {'done'}
`);

/** KEYS: blobs, small blobs. ARGV: key. Gives what is known, and the bytes of a small one, both of one moment. */
export const readBlob = script(`
return {redis.call('HGET', KEYS[1], ARGV[1]), redis.call('HGET', KEYS[2], ARGV[1])}
`);

/** KEYS: chunks. ARGV: seconds, chunk, its bytes. What nobody finishes goes by itself. */
export const addChunk = script(`
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
`);

/**
 * KEYS: chunks. ARGV: seconds, numbers of chunks. Gives the chunks; a version that is to go stays while somebody reads it, unless
 * the reader is one who may change nothing.
 */
export const readChunks = script(`
if redis.call('TTL', KEYS[1]) > 0 then redis.pcall('EXPIRE', KEYS[1], ARGV[1]) end
local found = {}
for index = 2, #ARGV do
  local bytes = redis.call('HGET', KEYS[1], ARGV[index])
  if not bytes then return found end
  found[#found + 1] = bytes
end
return found
`);
