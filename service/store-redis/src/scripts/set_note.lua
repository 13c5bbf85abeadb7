-- Replaces a note (compare-and-set). KEYS: the note, and the log key of its id, which names the channel of its
-- watchers; no such log exists.
-- ARGV: expected bytes, new bytes (empty: remove the note), and its time to live in ms (0: no limit).
-- Returns 0 if the note differs, 1 if it was replaced.
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
