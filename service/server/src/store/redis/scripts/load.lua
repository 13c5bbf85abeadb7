-- Reads a game. KEYS: log, snapshot, row, access.
-- ARGV: known version (0: nothing), look back, the mark of the known entry (empty: not compared).
-- Returns nothing if there is no such game; otherwise access, entries, and when the known version
-- does not hold also snapshot and row.
local version = redis.call('XLEN', KEYS[1])
if version == 0 then return false end
local access = redis.call('GET', KEYS[4]) or ''
local known = tonumber(ARGV[1])
if known > 0 and ARGV[3] ~= '' then
  local id = ARGV[1] .. '-' .. ARGV[3]
  if not redis.call('XRANGE', KEYS[1], id, id)[1] then known = 0 end
end
if known > 0 and known <= version then
  if known == version then return {access, {}} end
  return {access, redis.call('XRANGE', KEYS[1], (known + 1) .. '-0', '+')}
end
local snapshot = redis.call('GET', KEYS[2]) or ''
local taken_at = tonumber(string.match(snapshot, '^%d+') or '0')
local first = math.max(taken_at - tonumber(ARGV[2]), 0) + 1
return {
  access,
  redis.call('XRANGE', KEYS[1], first .. '-0', '+'),
  snapshot,
  redis.call('GET', KEYS[3]) or '',
}
