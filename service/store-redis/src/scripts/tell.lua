-- Adds a marker to a feed before the change that it announces is made on another node. KEYS: the feed.
-- ARGV: the marker, and the oldest number to keep. Returns the number of the marker in the feed.
local number = redis.call('XADD', KEYS[1], 'MINID', '~', ARGV[2], '*', 'e', ARGV[1])
redis.pcall('PUBLISH', (string.gsub(KEYS[1], 'feed$', 'log')), '0')
return number
