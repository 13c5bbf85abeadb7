-- Prefix of every script whose change a feed announces, except `commit`. If there is a marker, the last two keys are
-- the beginning of the feed, and the feed. The last two arguments are the marker without the number of its entry
-- (empty: it was written before, or no feeds are kept), and the oldest number in the feed to keep or, without a marker,
-- the deadline of the change in ms (empty: no limit).
-- `tell` adds the marker, if somebody follows the feed. It must be the first write of a script, so that its failure
-- leaves nothing behind.
local limit = table.remove(ARGV)
local marker = table.remove(ARGV)
local feed = marker ~= '' and table.remove(KEYS)
local begun = feed and table.remove(KEYS)
if not feed and limit ~= '' then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 > tonumber(limit) then
    return redis.error_reply('LATE this was announced to the feed too long ago')
  end
end
local function tell(number)
  if not feed or not redis.call('GET', begun) then return end
  redis.call('XADD', feed, 'MINID', '~', limit, '*', 'e', marker .. number)
  redis.pcall('PUBLISH', (string.gsub(feed, 'feed$', 'log')), '0')
end
