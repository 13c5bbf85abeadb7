-- Announces the retention time that a process wants, and returns all announcements. KEYS: the announcements; the terms
-- that all games have.
-- ARGV: the announcement of this process, and after how many ms of silence a process no longer counts.
-- Returns all announcements, and the terms that all games have (empty: not known).
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms - ARGV[2])
redis.call('ZADD', KEYS[1], now_ms, ARGV[1])
return { redis.call('ZRANGE', KEYS[1], 0, -1), redis.call('GET', KEYS[2]) or '' }
