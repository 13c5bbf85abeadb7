-- Appends one entry (compare-and-set). KEYS: log, snapshot, row, access.
-- ARGV: the number in the stream of the entry that it follows, its own number, the entry, time to live in ms (0: no
-- limit); optionally the snapshot (as stored; empty: none), the row (empty: none), and the access record that is
-- required.
-- Returns 1: stored. A text: stored, and the text is the row that was replaced. 0: the game does not exist. -1: the
-- access record differs. A list: the entries after the expected one, or the packed log; empty if the log does not have
-- the expected entry.
-- Redis does not roll back. So all checks come before the first write, which is the marker in the feed; the entry is
-- written after everything that it needs; and later writes may fail without harm: a lost snapshot is made again, and
-- watchers poll in case a wake-up is lost.
-- Reads from the end: the expected entry is usually the last, while a forward range scans its stream node for it.
local tail = redis.call('XREVRANGE', KEYS[1], '+', ARGV[1])
local known = table.remove(tail)
if known and known[2][1] == 'p' then return {known} end
if not known or known[1] ~= ARGV[1] then
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return {}
end
if tail[1] then
  -- A retry finds its own entry.
  if tail[#tail][2][2] == ARGV[3] then return 1 end
  local newer = {}
  for i = #tail, 1, -1 do newer[#newer + 1] = tail[i] end
  return newer
end
if ARGV[7] and (redis.call('GET', KEYS[4]) or '') ~= ARGV[7] then return -1 end
tell(ARGV[2])
local left, time = redis.call('PTTL', KEYS[1]), tonumber(ARGV[4])
local before
if ARGV[6] and ARGV[6] ~= '' then
  before = redis.call('GET', KEYS[3]) or ''
  redis.call('SET', KEYS[3], ARGV[6], 'KEEPTTL')
end
local added = redis.pcall('XADD', KEYS[1], ARGV[2], 'e', ARGV[3])
if type(added) == 'table' and added.err then
  if before == '' then redis.call('DEL', KEYS[3]) elseif before then redis.call('SET', KEYS[3], before, 'KEEPTTL') end
  return added
end
if ARGV[5] and ARGV[5] ~= '' then redis.pcall('SET', KEYS[2], ARGV[5], 'KEEPTTL') end
-- Set the time to live only if a good part of it has passed, or if it was set under other terms: four commands more in
-- every commit would take a third longer. Set it 1/64 longer than required, so that no game ends early.
if time == 0 then
  if left ~= -1 then
    for i = 1, 4 do redis.pcall('PERSIST', KEYS[i]) end
  end
elseif left < time or left > time + math.ceil(time / 64) then
  for i = 1, 4 do redis.pcall('PEXPIRE', KEYS[i], time + math.ceil(time / 64)) end
end
redis.pcall('PUBLISH', KEYS[1], string.match(ARGV[2], '^%d+'))
return before or 1
