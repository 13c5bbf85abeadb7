-- Reads a part of a feed, which goes on for a while after each read. KEYS: the feed, and its beginning.
-- ARGV: the first number to read, the maximum number of markers, how long the feed goes on, in ms, and the name of the
-- feed if this read may begin it (empty: it may not).
-- Returns the time in s and µs, the beginning (in ms, and the name; nil: nobody follows the feed), the last marker, and
-- the markers.
local now = redis.call('TIME')
local begun = redis.call('GET', KEYS[2])
if begun then
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
elseif ARGV[4] == '' then
  return { now[1], now[2], false, {}, {} }
else
  begun = string.format('%.0f %s', now[1] * 1000 + math.floor(now[2] / 1000), ARGV[4])
  redis.call('SET', KEYS[2], begun, 'PX', ARGV[3])
end
return {
  now[1],
  now[2],
  begun,
  redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1),
  redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2]),
}
