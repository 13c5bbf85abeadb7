-- Prefix of every script that must do nothing in a Redis that lost its data. The last key and the last argument are
-- the epoch, as Redis has it and as the process knows it. Clears both fields, which costs less than `table.remove`.
if redis.call('GET', KEYS[#KEYS]) ~= ARGV[#ARGV] then return redis.error_reply('EPOCH another one, or none') end
KEYS[#KEYS], ARGV[#ARGV] = nil, nil
