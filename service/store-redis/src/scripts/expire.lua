-- Sets the time to live of a game. KEYS: log, snapshot, row, access.
-- ARGV: the time in ms for an active game, and for a finished one (0: no limit).
local row = redis.call('GET', KEYS[3])
local is_finished = row and string.byte(row, 2) == 1
local time = is_finished and ARGV[2] or ARGV[1]
for i = 1, 4 do
  if time == '0' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], time) end
end
return 1
