-- Reads a part of several lists of kinds at one moment. KEYS: the lists.
-- ARGV: the place to continue after (as a bound of a range), and the maximum number of places from each list.
-- Returns the places of each list, newest first.
local found = {}
for i = 1, #KEYS do
  found[i] = redis.call('ZREVRANGEBYLEX', KEYS[i], ARGV[1], '-', 'LIMIT', 0, ARGV[2])
end
return found
