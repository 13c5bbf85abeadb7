-- Gives a game the time to live that holds now. KEYS: log, snapshot, row, access.
-- ARGV: the time in ms of a game that goes on, and of a finished one (0: no limit).
local row = redis.call('GET', KEYS[3])
local is_finished = row and string.byte(row, 2) == 1
local time = is_finished and ARGV[2] or ARGV[1]
for i = 1, 4 do
  if time == '0' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], time) end
end
return 1
