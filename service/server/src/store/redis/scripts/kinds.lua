-- Parts of lists of kinds, as they are at one moment. KEYS: the lists.
-- ARGV: the place after which to go on (with the sign of a range), and how many places are wanted of each.
-- Returns the places of each list, the newest first.
local found = {}
for i = 1, #KEYS do
  found[i] = redis.call('ZREVRANGEBYLEX', KEYS[i], ARGV[1], '-', 'LIMIT', 0, ARGV[2])
end
return found
