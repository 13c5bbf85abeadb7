-- Raises a mark, which never falls unless Redis goes back to an earlier state. KEYS: the mark.
-- Returns the mark before and now.
local mark = tonumber(redis.call('GET', KEYS[1]) or 0)
redis.call('SET', KEYS[1], string.format('%.0f', mark + 1))
return { mark, mark + 1 }
