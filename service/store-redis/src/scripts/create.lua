-- Creates a game. KEYS: log, snapshot, row, access, and for a long past the staged log that becomes this one.
-- ARGV: entry, its number in the stream, snapshot (as stored), row, time to live in ms (0: no limit),
-- access record (empty: none); then for each further entry its number in the stream and the entry, or, with a
-- staged log, the number of entries that it must have.
-- Returns 1 if the game was created, or exists with the same first entry, since this is then a retry; 0 if another
-- game exists; -1 if the staged log is incomplete. If the existing log is packed, returns it: the caller compares.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if first and first[2][1] == 'p' then return {first} end
  return (first and first[2][2] == ARGV[1]) and 1 or 0
end
local newest
if KEYS[5] then
  newest = ARGV[7]
  if redis.call('XLEN', KEYS[5]) ~= tonumber(newest) then return -1 end
  redis.call('RENAME', KEYS[5], KEYS[1])
  redis.call('PERSIST', KEYS[1])
else
  redis.call('XADD', KEYS[1], ARGV[2], 'e', ARGV[1])
  for i = 7, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1]) end
  newest = string.match(ARGV[#ARGV > 6 and #ARGV - 1 or 2], '^%d+')
end
redis.call('SET', KEYS[2], ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
if ARGV[6] == '' then redis.call('DEL', KEYS[4]) else redis.call('SET', KEYS[4], ARGV[6]) end
if ARGV[5] ~= '0' then
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[5]) end
end
redis.call('PUBLISH', KEYS[1], newest)
return 1
