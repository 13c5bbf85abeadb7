-- Removes games from named lists, unless they were added again since. KEYS: the lists.
-- ARGV: for each game, the game and a time. A game with that time or a later one stays.
for i = 1, #KEYS do
  for j = 1, #ARGV, 2 do
    local at = redis.call('ZSCORE', KEYS[i], ARGV[j])
    if at and tonumber(at) < tonumber(ARGV[j + 1]) then redis.call('ZREM', KEYS[i], ARGV[j]) end
  end
end
return 1
