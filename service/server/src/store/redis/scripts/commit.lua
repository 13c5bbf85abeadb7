-- Adds one entry. KEYS: log, snapshot, row, access.
-- ARGV: the number in the stream of the entry that it follows, its own number, the entry, time to live
-- in ms (0: for ever), snapshot (as stored; empty: none), row (empty: none), and, if it is to be
-- compared, the access record.
-- Returns 1: stored. 0: no such game. -1: another access record. A list: the entries after the one
-- that it was to follow; an empty one if that is not in the log.
-- All refusals come before the first write, since nothing is rolled back.
local tail = redis.call('XRANGE', KEYS[1], ARGV[1], '+')
if not tail[1] or tail[1][1] ~= ARGV[1] then
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return {}
end
if tail[2] then
  -- A resend finds its own entry.
  if tail[2][2][2] == ARGV[3] then return 1 end
  table.remove(tail, 1)
  return tail
end
if ARGV[7] and (redis.call('GET', KEYS[4]) or '') ~= ARGV[7] then return -1 end
redis.call('XADD', KEYS[1], ARGV[2], 'e', ARGV[3])
if ARGV[5] ~= '' then redis.call('SET', KEYS[2], ARGV[5], 'KEEPTTL') end
if ARGV[6] ~= '' then redis.call('SET', KEYS[3], ARGV[6], 'KEEPTTL') end
if ARGV[4] ~= '0' then
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
end
redis.call('PUBLISH', KEYS[1], string.match(ARGV[2], '^%d+'))
return 1
