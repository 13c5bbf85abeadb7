-- Says what a process wants, and hears what all want. KEYS: what is wanted, the terms that all games have.
-- ARGV: what this process wants, and for how many ms a process counts that says nothing any more.
-- Returns what is wanted, and the terms.
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms - ARGV[2])
redis.call('ZADD', KEYS[1], now_ms, ARGV[1])
return {redis.call('ZRANGE', KEYS[1], 0, -1), redis.call('GET', KEYS[2]) or ''}
