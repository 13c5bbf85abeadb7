-- Removes places from lists of one slot, unless they were taken again since. KEYS: the list of each place.
-- ARGV: for each place, the game and a time. A game with that time or a later one stays; after `=`, one with another.
for i = 1, #KEYS do
  local at = redis.call('ZSCORE', KEYS[i], ARGV[2 * i - 1])
  local exact = string.match(ARGV[2 * i], '^=(%d+)$')
  local is_old = at and (exact and tonumber(at) == tonumber(exact) or not exact and tonumber(at) < tonumber(ARGV[2 * i]))
  if is_old then redis.call('ZREM', KEYS[i], ARGV[2 * i - 1]) end
end
return 1
