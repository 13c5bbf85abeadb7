-- Creates a game. KEYS: log, snapshot, row, access, and for a long past the staged log that becomes the log.
-- ARGV: entry, its number in the stream, snapshot (as stored), row, time to live in ms (0: no limit), access record
-- (empty: none); then for each further entry its number in the stream and the entry, or, with a staged log, the number
-- of entries that it must have.
-- Returns 1 if the game was created, or if it exists with the same first entry (a retry); 0 if another game has the
-- id; -1 if the staged log is incomplete. If the existing log is packed, returns it: the caller compares.
-- The log is written last: without it the game does not exist, and a failed creation removes the other keys again.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if first and first[2][1] == 'p' then return {first} end
  return (first and first[2][2] == ARGV[1]) and 1 or 0
end
if KEYS[5] and redis.call('XLEN', KEYS[5]) ~= tonumber(ARGV[7]) then return -1 end
tell(KEYS[5] and ARGV[7] .. '-0' or ARGV[#ARGV > 6 and #ARGV - 1 or 2])
local function write()
  redis.call('SET', KEYS[2], ARGV[3])
  redis.call('SET', KEYS[3], ARGV[4])
  if ARGV[6] == '' then redis.call('DEL', KEYS[4]) else redis.call('SET', KEYS[4], ARGV[6]) end
  if KEYS[5] then
    redis.call('PERSIST', KEYS[5])
    redis.call('RENAME', KEYS[5], KEYS[1])
    return ARGV[7]
  end
  redis.call('XADD', KEYS[1], ARGV[2], 'e', ARGV[1])
  for i = 7, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1]) end
  return string.match(ARGV[#ARGV > 6 and #ARGV - 1 or 2], '^%d+')
end
local is_written, newest = pcall(write)
if not is_written then
  redis.pcall('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
  return type(newest) == 'table' and newest or redis.error_reply(newest)
end
if ARGV[5] ~= '0' then
  for i = 1, 4 do redis.pcall('PEXPIRE', KEYS[i], ARGV[5]) end
end
redis.pcall('PUBLISH', KEYS[1], newest)
return 1
