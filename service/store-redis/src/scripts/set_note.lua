-- Replaces a note. KEYS: the note, and the log of a game of its id, which never exists: the name of its channel.
-- ARGV: expected, new (empty: none), and in how many ms it is forgotten (0: never).
-- Returns 0: the note differs. 1: it is now the new one.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[3] == '0' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
redis.pcall('PUBLISH', KEYS[2], '0')
return 1
