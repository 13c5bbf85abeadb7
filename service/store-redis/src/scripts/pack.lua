-- Replaces a whole log with one packed value. KEYS: log.
-- ARGV: the number in the stream of the last entry, the number of entries, the packed log.
-- Returns 1, or 0 if the log has changed or is already packed.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] or last[2][1] == 'p' then return 0 end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('XADD', KEYS[1], ARGV[1], 'p', ARGV[3])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
return 1
