// What the server does as one step, in Lua. It understands no counters: it keeps order, and appends.

import { hash } from "node:crypto";

export interface Script {
  readonly text: string;
  /** By which the server knows it. */
  readonly sha1: string;
}

export function script(text: string): Script {
  return { text, sha1: hash("sha1", text, "hex") };
}

/**
 * Counts an attempt once, in the world that the worker knows (see world.ts).
 *
 * Keys: world, last number, order unless there is none. Arguments: world; prefix of decisions; prefix of counted keys; mode
 * (one letter, "l" to write nothing at all) and digest; time; how long a repeat is one; seconds to keep what is written; day
 * (three letters); counted keys, 22 letters each; their records, as `packAttempt` makes them, or "" to count nothing.
 * Answers: `world` and the present one; `repeat`, number and the stored decision; else `counted`, number, and the values: with the time
 * of then for what was counted and not decided, whose values may have grown since; with nothing, and as they were before.
 *
 * An order is kept as number (6 bytes), time (8), mode (1) and digest. A decision begins with a letter, "r" once it has been
 * repeated.
 */
export const COUNT = script(`
local call, sub, pack = redis.call, string.sub, struct.pack
local world = call('GET', KEYS[1])
if world ~= ARGV[1] then return {'world', world} end
local decisions, counted, digest, at, keep, day = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[7], ARGV[8]
local names, records, looks = ARGV[9], ARGV[10], sub(digest, 1, 1) == 'l'
local keys, values = {}, {}
for i = 1, #names, 22 do keys[#keys + 1] = counted .. sub(names, i, i + 21) end
local function read() if #keys > 0 then values = call('MGET', unpack(keys)) end end
local order = KEYS[3] and call('GET', KEYS[3])
if order and sub(order, 16) == sub(digest, 2) then
  local number, first = struct.unpack('<I6d', order)
  if math.abs(at - first) < tonumber(ARGV[6]) then
    local decision = decisions .. string.format('%d', number)
    local stored = call('GET', decision)
    if stored then
      if not looks and sub(stored, 1, 1) ~= 'r' then call('SETRANGE', decision, 0, 'r') end
      return {'repeat', number, stored}
    end
    if sub(order, 15, 15) == sub(digest, 1, 1) then
      read()
      return {'counted', number, sub(order, 7, 14), unpack(values)}
    end
  end
end
if looks then
  read()
  return {'counted', 0, false, unpack(values)}
end
local number = call('INCR', KEYS[2])
local packed = pack('<I6', number)
if KEYS[3] then call('SET', KEYS[3], packed .. pack('<d', at) .. digest, 'EX', keep) end
read()
local start = 1
for i = 1, #records > 0 and #keys or 0 do
  local size, value = string.byte(records, start), values[i]
  local added = packed .. sub(records, start + 1, start + size) .. day
  call('APPEND', keys[i], value and added or '\\0\\0\\0\\0' .. added)
  if not value or sub(value, -3) ~= day then call('EXPIRE', keys[i], keep) end
  start = start + size + 1
end
return {'counted', number, false, unpack(values)}
`);

/**
 * Stores a decision, and gives the one that was stored before it. Keys: the decision; how many there are. Arguments: the
 * decision; seconds to keep it; how many there may be. Answers `stored`, `full`, or `other` and that one.
 */
export const ANSWER = script(`
local other = redis.call('GET', KEYS[1])
if other then return {'other', other} end
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[3]) then return {'full'} end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
redis.call('INCR', KEYS[2])
return {'stored'}
`);

/**
 * Replaces the beginning of a value by its image. Key: the value. Arguments: the first bytes that it must have, how many bytes
 * the image takes the place of, and the image.
 */
export const COMPACT = script(`
local value = redis.call('GET', KEYS[1])
if not value or string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[3] .. string.sub(value, tonumber(ARGV[2]) + 1), 'KEEPTTL')
return 1
`);
