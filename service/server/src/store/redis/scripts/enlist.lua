-- Adds a game to named lists of its tenant. KEYS: the set of the names of lists, then the lists.
-- ARGV: the game, when it was last changed, and the names to add to the set.
-- GT: a slower process with an older time does not move the game back.
for i = 2, #KEYS do redis.call('ZADD', KEYS[i], 'GT', ARGV[2], ARGV[1]) end
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
return 1
