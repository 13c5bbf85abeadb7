-- Reads a part of a list, newest first. KEYS: the list.
-- ARGV: the latest and the earliest time, the number of games to skip, the maximum number of games.
-- Returns alternating games and times.
return redis.call(
  'ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', ARGV[3], ARGV[4], 'WITHSCORES'
)
