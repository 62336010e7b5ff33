import { script } from "./script.js";

/**
 * KEYS: set. ARGV: dimensions, then by turns id, numbers. Gives 0 when all were put, else the set's dimensions.
 * The first line makes a server without memory refuse it before anything is changed. An id that is there is taken out before: the server
 * neither writes an update in place to its append-only file nor sends it to replicas.
 */
export const putVectors = script(`#!lua
if redis.call('EXISTS', KEYS[1]) == 1 then
  local dimensions = redis.call('VDIM', KEYS[1])
  if dimensions ~= tonumber(ARGV[1]) then return dimensions end
end
for index = 2, #ARGV, 2 do
  redis.call('VREM', KEYS[1], ARGV[index])
  redis.call('VADD', KEYS[1], 'FP32', ARGV[index + 1], ARGV[index], 'NOQUANT')
end
return 0
`);

/** KEYS: set. ARGV: ids. Gives for each nothing, or its numbers, brought to length 1, and the length that they had. */
export const getVectors = script(`
local found = {}
for index, id in ipairs(ARGV) do
  local raw = redis.call('VEMB', KEYS[1], id, 'RAW')
  found[index] = raw and {raw[2], raw[3]}
end
return found
`);

/** KEYS: set. ARGV: ids. Gives 1 for each that is there, and 0. */
export const knownVectors = script(`
local known = {}
for index, id in ipairs(ARGV) do
  known[index] = redis.call('VEMB', KEYS[1], id, 'RAW') and 1 or 0
end
return known
`);

/** KEYS: set. ARGV: ids. Gives how many there were. */
export const deleteVectors = script(`
local deleted = 0
for _, id in ipairs(ARGV) do deleted = deleted + redis.call('VREM', KEYS[1], id) end
return deleted
`);
