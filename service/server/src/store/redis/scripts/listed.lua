-- A part of a list of a tenant, the last change first. KEYS: the list.
-- ARGV: the latest and the earliest time, how many games are skipped, how many are wanted.
-- Returns games and times in turn.
return redis.call(
  'ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', ARGV[3], ARGV[4], 'WITHSCORES'
)
