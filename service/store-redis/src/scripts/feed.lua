-- Reads a part of a feed. KEYS: the feed. ARGV: the first number to read, and the maximum number of markers.
-- Returns the time in s and µs, the last marker, and the markers.
local now = redis.call('TIME')
return {
  now[1],
  now[2],
  redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1),
  redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2]),
}
