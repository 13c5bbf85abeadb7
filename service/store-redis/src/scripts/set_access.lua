-- Replaces the access record (compare-and-set), and the row if one is given. KEYS: log, snapshot, row, access.
-- ARGV: expected record, new record, the number in the stream of the newest entry (empty: any), and the row.
-- Returns 0: the record differs, the game has moved on, or it does not exist. 1: the record was replaced. A text: the
-- record and the row were replaced, and the text is the former row; or, if no row was given, the record was replaced by
-- one of another length, and the text is the row, which says whose it is.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then return 0 end
local kept = redis.call('GET', KEYS[4]) or ''
if kept ~= ARGV[1] then return 0 end
local before, left = nil, redis.call('PTTL', KEYS[1])
if ARGV[3] ~= '' and last[1] ~= ARGV[3] then return 0 end
tell(last[1])
if ARGV[4] then
  before = redis.call('GET', KEYS[3]) or ''
  redis.call('SET', KEYS[3], ARGV[4], 'KEEPTTL')
end
redis.call('SET', KEYS[4], ARGV[2])
if left > 0 then redis.pcall('PEXPIRE', KEYS[4], left) end
-- Version 0 does not exist: it makes watchers reload.
if before then redis.pcall('PUBLISH', KEYS[1], '0') end
return before or #ARGV[2] ~= #kept and redis.call('GET', KEYS[3]) or 1
