-- Appends one entry (compare-and-set). KEYS: log, access (the log again: any record will do), the beginning of the feed
-- (the log again: this change has no marker, or it was written before).
-- ARGV: the number in the stream of the entry that it follows, its own number, the entry, the access record that is
-- required.
-- This is all for most entries. With further KEYS: snapshot, row, access, feed (missing: no marker); and further ARGV:
-- time to live in ms (0: no limit), the snapshot (as stored; empty: none), the row (empty: none), the marker without
-- the number of its entry (empty: none), and the oldest number in the feed to keep or, without a marker, the deadline
-- of the change in ms (empty: no limit).
-- Returns 1: stored. 2: stored, and nobody follows the feed. A text: stored, and the text is the row that was replaced
-- (empty: none), after the number of bytes by which the game has grown, and a space, if there is a snapshot.
-- 0: the game does not exist. -1: the access record differs. -2: somebody follows the feed, and there is no marker.
-- A list: the entries after the expected one, or the packed log; empty if the log does not have the expected entry.
-- Redis does not roll back. So all checks come before the first write, which is the marker in the feed; the entry is
-- written after everything that it needs; and later writes may fail without harm: a lost snapshot is made again, and
-- watchers poll in case a wake-up is lost.
-- Each call, key and argument costs Redis a good part of what the whole entry does, so only few entries have all.
-- Reads from the end: the expected entry is usually the last, while a forward range scans its stream node for it.
local tail = redis.call('XREVRANGE', KEYS[1], '+', ARGV[1])
local known = tail[#tail]
if known and known[2][1] == 'p' then return {known} end
if not known or known[1] ~= ARGV[1] then
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return {}
end
if #tail > 1 then
  -- A retry finds its own entry.
  if tail[#tail - 1][2][2] == ARGV[3] then return 1 end
  local newer = {}
  for i = #tail - 1, 1, -1 do newer[#newer + 1] = tail[i] end
  return newer
end
if KEYS[2] ~= KEYS[1] and (redis.call('GET', KEYS[2]) or '') ~= ARGV[4] then return -1 end
local is_followed = KEYS[3] ~= KEYS[1] and redis.call('GET', KEYS[3])
if is_followed and not KEYS[7] then return -2 end
local time, left, before = ARGV[5], nil, nil
if time then
  left = redis.call('PTTL', KEYS[1])
  if not KEYS[7] and ARGV[9] ~= '' then
    local now = redis.call('TIME')
    if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[9]) then
      return redis.error_reply('LATE this was announced to the feed too long ago')
    end
  end
  if is_followed then
    redis.call('XADD', KEYS[7], 'MINID', '~', ARGV[9], '*', 'e', ARGV[8] .. ARGV[2])
    redis.pcall('PUBLISH', (string.gsub(KEYS[7], 'feed$', 'log')), '0')
  end
  if ARGV[7] ~= '' then
    before = redis.call('GET', KEYS[5]) or ''
    redis.call('SET', KEYS[5], ARGV[7], 'KEEPTTL')
  end
end
local added = redis.pcall('XADD', KEYS[1], ARGV[2], 'e', ARGV[3])
if type(added) == 'table' and added.err then
  if before == '' then redis.call('DEL', KEYS[5]) elseif before then redis.call('SET', KEYS[5], before, 'KEEPTTL') end
  return added
end
local grown
if time then
  if ARGV[6] ~= '' then
    -- The size of the entries up to a snapshot stands between its version and a colon. Without it, nothing of the game
    -- was counted.
    local function size(start, length)
      local logged, colon = string.match(start, '^%d+ (%d+)():')
      return logged and logged + length - colon or 0
    end
    local was = size(redis.call('GETRANGE', KEYS[4], 0, 40), redis.call('STRLEN', KEYS[4]))
    grown = string.format('%d ', size(string.sub(ARGV[6], 1, 41), #ARGV[6]) - was)
    redis.pcall('SET', KEYS[4], ARGV[6], 'KEEPTTL')
  end
  -- Set the time to live only if a good part of it has passed, or if it was set under other terms: four commands more
  -- in every commit would take a third longer. Set it 1/64 longer than required, so that no game ends early.
  local most = math.ceil(time / 64) + time
  for _, i in ipairs({ 1, 4, 5, 6 }) do
    if time == '0' then
      if left ~= -1 then redis.pcall('PERSIST', KEYS[i]) end
    elseif left < tonumber(time) or left > most then
      redis.pcall('PEXPIRE', KEYS[i], most)
    end
  end
end
-- Watchers read the version before the dash.
redis.pcall('PUBLISH', KEYS[1], ARGV[2])
if grown then return grown .. (before or '') end
return before or KEYS[7] and not is_followed and 2 or 1
