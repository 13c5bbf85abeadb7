-- Replaces a whole log with one packed value. KEYS: log, the staging key of the packed log, and snapshot.
-- ARGV: the number in the stream of the last entry, the number of entries, the packed log.
-- Returns by how many bytes the game has shrunk, or -1 if the log has changed or is already packed.
-- The packed log is complete before it is renamed to the log, so that readers never see a part of it.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[1] or last[2][1] == 'p' then return -1 end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return -1 end
local left = redis.call('PTTL', KEYS[1])
redis.call('XADD', KEYS[2], ARGV[1], 'p', ARGV[3])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
local renamed = redis.pcall('RENAME', KEYS[2], KEYS[1])
if renamed.err then redis.pcall('UNLINK', KEYS[2]) return renamed end
local snapshot = redis.call('GET', KEYS[3]) or ''
local version, logged, state = string.match(snapshot, '^(%d+) (%d+)(:.*)$')
if not version then return 0 end
local size = 24 + #ARGV[3]
redis.pcall('SET', KEYS[3], version .. string.format(' %d', size) .. state, 'KEEPTTL')
return math.max(logged - size, 0)
