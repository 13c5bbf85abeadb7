-- Adds one entry. KEYS: log, snapshot, row, access.
-- ARGV: expected version, entry, time to live in ms (0: for ever), snapshot (as stored; empty: none),
-- row (empty: none), and, if it is to be compared, the access record.
-- Returns 1: stored. 0: no such game. -1: another access record. A list: the entries after the
-- expected version. All refusals come before the first write, since nothing is rolled back.
-- The log has no gaps and is never trimmed, so its length is the version.
local expected = tonumber(ARGV[1])
local version = redis.call('XLEN', KEYS[1])
if version == 0 then return 0 end
if version ~= expected then
  local newer = redis.call('XRANGE', KEYS[1], (expected + 1) .. '-0', '+')
  -- A resend finds its own entry.
  if newer[1] and newer[1][2][2] == ARGV[2] then return 1 end
  return newer
end
if ARGV[6] and (redis.call('GET', KEYS[4]) or '') ~= ARGV[6] then return -1 end
redis.call('XADD', KEYS[1], (expected + 1) .. '-0', 'e', ARGV[2])
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'KEEPTTL') end
if ARGV[5] ~= '' then redis.call('SET', KEYS[3], ARGV[5], 'KEEPTTL') end
if ARGV[3] ~= '0' then
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
end
redis.call('PUBLISH', KEYS[1], expected + 1)
return 1
