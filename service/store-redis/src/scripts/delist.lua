-- Removes places from lists of one slot, unless they were taken again since. KEYS: the list of each place.
-- ARGV: for each place, the game and a time. A game with that time or a later one stays.
for i = 1, #KEYS do
  local at = redis.call('ZSCORE', KEYS[i], ARGV[2 * i - 1])
  if at and tonumber(at) < tonumber(ARGV[2 * i]) then redis.call('ZREM', KEYS[i], ARGV[2 * i - 1]) end
end
return 1
