-- Adds entries to a log that waits to become that of a game. KEYS: that log.
-- ARGV: how many entries it must have, for how many ms it waits, then for each entry its number in the stream and
-- the entry. Returns 1, or 0 if it does not have as many. A resend finds that they are there.
local count = redis.call('XLEN', KEYS[1])
if count ~= tonumber(ARGV[1]) then return count == ARGV[1] + (#ARGV - 2) / 2 and 1 or 0 end
for i = 3, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
