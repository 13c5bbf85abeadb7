-- Appends entries to a staged log, which will become the log of a game. KEYS: the staged log.
-- ARGV: the number of entries it must have so far, its time to live in ms, then for each entry its number in the
-- stream and the entry.
-- Returns 1, also for a retry whose entries are there; 0 if the log has another length.
local count = redis.call('XLEN', KEYS[1])
if count ~= tonumber(ARGV[1]) then return count == ARGV[1] + (#ARGV - 2) / 2 and 1 or 0 end
for i = 3, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
