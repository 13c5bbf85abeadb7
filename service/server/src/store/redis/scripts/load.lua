-- Reads a game. KEYS: log, snapshot, row, access.
-- ARGV: look back, and the number in the stream of the known entry (empty: nothing is known).
-- Returns nothing if there is no such game; otherwise access, entries, and when the known entry is not
-- in the log also snapshot (nothing: it is missing), row and the number of entries. Entries may be one
-- that holds the packed log.
local known = ARGV[2]
if known ~= '' then
  -- From the end: that is where it is.
  local tail = redis.call('XREVRANGE', KEYS[1], '+', known)
  local last = table.remove(tail)
  if last and last[1] == known then
    local newer = {}
    for i = #tail, 1, -1 do newer[#newer + 1] = tail[i] end
    return {redis.call('GET', KEYS[4]) or '', newer}
  end
end
local last = redis.call('EXISTS', KEYS[1]) == 1 and redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then return false end
local snapshot = redis.call('GET', KEYS[2])
local taken_at = tonumber(string.match(snapshot or last[1], '^%d+') or '0')
local first = math.max(taken_at - tonumber(ARGV[1]), 0) + 1
return {
  redis.call('GET', KEYS[4]) or '',
  redis.call('XRANGE', KEYS[1], first .. '-0', '+'),
  snapshot,
  redis.call('GET', KEYS[3]) or '',
  redis.call('XLEN', KEYS[1]),
}
