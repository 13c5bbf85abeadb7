-- Puts a game into lists of its tenant. KEYS: the set of the names of lists, and the lists.
-- ARGV: the game, when it was last changed, and the names to be noted.
-- A game never moves back: whoever was slower changes nothing.
for i = 2, #KEYS do redis.call('ZADD', KEYS[i], 'GT', ARGV[2], ARGV[1]) end
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
return 1
