-- Adds a game to lists of one slot. KEYS: the set of the names of lists, then the lists.
-- ARGV: the game; the maximum length of the first list (-1: no limit); for each list the flag of ZADD (NX: keep a
-- present place, GT: only move it forward, CH: set it) and the time; then the names to add to the set.
-- Returns how many lists had no place of the game, or -1 if the first list is full.
local max = tonumber(ARGV[2])
if max >= 0 and not redis.call('ZSCORE', KEYS[2], ARGV[1]) and redis.call('ZCARD', KEYS[2]) >= max then
  return -1
end
local added = 0
for i = 2, #KEYS do
  local at = 2 * i - 1
  added = added + redis.call('ZADD', KEYS[i], ARGV[at], ARGV[at + 1], ARGV[1])
end
for i = 2 * #KEYS + 1, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
return added
