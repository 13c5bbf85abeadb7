-- Reads a game. KEYS: log, snapshot, row, access.
-- ARGV: how many entries to look back, and the number in the stream of the known entry (empty: none).
-- As in all scripts, the epoch follows. Only the answer that the game does not exist depends on it.
-- Returns nil if the game does not exist; otherwise access and entries and, unless the log has the known entry, also
-- snapshot (nil: missing), row, and the number of entries. The entries may be a single one that holds the packed log.
local epoch_key, epoch = table.remove(KEYS), table.remove(ARGV)
local known = ARGV[2]
if known ~= '' then
  -- Read from the end, where the known entry usually is.
  local tail = redis.call('XREVRANGE', KEYS[1], '+', known)
  local last = table.remove(tail)
  if last and last[1] == known then
    local newer = {}
    for i = #tail, 1, -1 do newer[#newer + 1] = tail[i] end
    return {redis.call('GET', KEYS[4]) or '', newer}
  end
end
local last = redis.call('EXISTS', KEYS[1]) == 1 and redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then
  if redis.call('GET', epoch_key) ~= epoch then return redis.error_reply('EPOCH another one, or none') end
  return false
end
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
