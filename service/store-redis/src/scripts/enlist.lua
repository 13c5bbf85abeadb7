-- Adds a game to lists of one slot. KEYS: the set of the names of lists, the bytes that the tenant stores, then the lists.
-- ARGV: the game; the maximum length of the first list (-1: no limit); the size of the game, to be counted if the first
-- list has no place of it; the maximum of bytes (-1: no limit); for each list the flag of ZADD (NX: keep a present
-- place, GT: only move it forward, CH: set it) and the time; then the names to add to the set.
-- Returns how many lists had no place of the game, -1 if the first list is full, or -2 if there is no room for the bytes.
local max, size, room = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if (max >= 0 or size > 0) and not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  if max >= 0 and redis.call('ZCARD', KEYS[3]) >= max then return -1 end
  if room >= 0 and math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), 0) + size > room then return -2 end
  if size > 0 then redis.call('INCRBY', KEYS[2], ARGV[3]) end
end
local added = 0
for i = 3, #KEYS do
  local at = 2 * i - 1
  added = added + redis.call('ZADD', KEYS[i], ARGV[at], ARGV[at + 1], ARGV[1])
end
for i = 2 * #KEYS + 1, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
return added
