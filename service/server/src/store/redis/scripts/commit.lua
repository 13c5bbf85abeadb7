-- Adds one entry. KEYS: log, snapshot, row, access.
-- ARGV: expected version, entry, its mark, the mark of the entry before it (empty: not compared),
-- time to live in ms (0: for ever), snapshot (as stored; empty: none), row (empty: none), and, if it
-- is to be compared, the access record.
-- Returns 1: stored. 0: no such game. -1: another access record. A list: the entries after the
-- expected version; an empty one if the expected version is another one or none.
-- All refusals come before the first write, since nothing is rolled back.
-- The log has no gaps and is never trimmed, so its length is the version.
local expected = tonumber(ARGV[1])
local version = redis.call('XLEN', KEYS[1])
if version == 0 then return 0 end
local newer = {}
if version ~= expected then
  newer = redis.call('XRANGE', KEYS[1], (expected + 1) .. '-0', '+')
  -- A resend finds its own entry.
  if newer[1] and newer[1][2][2] == ARGV[2] then return 1 end
end
if ARGV[4] ~= '' then
  local before = ARGV[1] .. '-' .. ARGV[4]
  if not redis.call('XRANGE', KEYS[1], before, before)[1] then return {} end
end
if version ~= expected then return newer end
if ARGV[8] and (redis.call('GET', KEYS[4]) or '') ~= ARGV[8] then return -1 end
redis.call('XADD', KEYS[1], (expected + 1) .. '-' .. ARGV[3], 'e', ARGV[2])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6], 'KEEPTTL') end
if ARGV[7] ~= '' then redis.call('SET', KEYS[3], ARGV[7], 'KEEPTTL') end
if ARGV[5] ~= '0' then
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[5]) end
end
redis.call('PUBLISH', KEYS[1], expected + 1)
return 1
