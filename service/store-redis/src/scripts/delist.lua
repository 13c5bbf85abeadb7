-- Removes places from lists of one slot, unless the game got another place since. KEYS: the list of each place.
-- ARGV: for each place, the game and a time. A place is removed if its time is earlier; after `=`, if it has exactly
-- this time.
for i = 1, #KEYS do
  local at = redis.call('ZSCORE', KEYS[i], ARGV[2 * i - 1])
  local exact = string.match(ARGV[2 * i], '^=(%d+)$')
  local is_old = at and (exact and tonumber(at) == tonumber(exact) or not exact and tonumber(at) < tonumber(ARGV[2 * i]))
  if is_old then redis.call('ZREM', KEYS[i], ARGV[2 * i - 1]) end
end
return 1
