-- Replaces a whole log with one packed value. KEYS: log, and the staging key of the packed log.
-- ARGV: the number in the stream of the last entry, the number of entries, the packed log.
-- Returns 1, or 0 if the log has changed or is already packed.
-- The packed log is complete before it is renamed to the log, so that readers never see a part of it.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] or last[2][1] == 'p' then return 0 end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
local left = redis.call('PTTL', KEYS[1])
redis.call('XADD', KEYS[2], ARGV[1], 'p', ARGV[3])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
local renamed = redis.pcall('RENAME', KEYS[2], KEYS[1])
if renamed.err then redis.pcall('UNLINK', KEYS[2]) return renamed end
return 1
