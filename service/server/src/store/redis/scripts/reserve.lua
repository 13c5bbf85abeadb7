-- Adds a game to the list of its tenant, if there is room. KEYS: the list.
-- ARGV: the place, and the maximum number of games of the tenant.
-- Returns 1, or 0 if the list is full.
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], 0, ARGV[1])
return 1
