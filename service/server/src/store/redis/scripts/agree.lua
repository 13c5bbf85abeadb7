-- Announces what a process wants, and returns what all want. KEYS: the announcements; the terms that all games
-- have; since when every process has maintained the lists of kinds; the value of that key when all games were added there.
-- ARGV: the announcement of this process, and after how many ms of silence a process no longer counts.
-- Returns all announcements, the terms, and the values of the last two keys (empty: not known).
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms - ARGV[2])
-- A process of an older build does not maintain these lists. None went unnoticed if a process of this build, this one
-- or another, was announced at every moment.
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
