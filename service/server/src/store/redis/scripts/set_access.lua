-- Replaces the access record. KEYS: log, access. ARGV: expected, new.
-- Returns 1 if the record is now the new one, otherwise 0.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local kept = redis.call('GET', KEYS[2]) or ''
if kept == ARGV[2] then return 1 end
if kept ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
return 1
