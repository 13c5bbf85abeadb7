-- Says what a process wants, and hears what all want. KEYS: what is wanted, the terms that all games have,
-- since when every process keeps the lists of kinds, and since when they did when all games were put there.
-- ARGV: what this process wants, and for how many ms a process counts that says nothing any more.
-- Returns what is wanted, the terms, and the last two (empty: not known).
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms - ARGV[2])
-- A process of an older build does not keep these lists. It was noticed if some process of this build was
-- there all the time, this one or another.
local was_watched, is_older = false, false
for _, process in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(process, -6) == '+kinds' then was_watched = true else is_older = true end
end
redis.call('ZADD', KEYS[1], now_ms, ARGV[1])
if is_older or not was_watched then redis.call('DEL', KEYS[3]) end
if not is_older then
  redis.call('SET', KEYS[3], string.format('%.0f ', now_ms) .. ARGV[1], 'NX')
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
end
return {
  redis.call('ZRANGE', KEYS[1], 0, -1),
  redis.call('GET', KEYS[2]) or '',
  redis.call('GET', KEYS[3]) or '',
  redis.call('GET', KEYS[4]) or '',
}
