-- Prefix of every script that must do nothing in a Redis that lost its data. The last key and the last argument are
-- the epoch, as Redis has it and as the process knows it.
if redis.call('GET', table.remove(KEYS)) ~= table.remove(ARGV) then
  return redis.error_reply('EPOCH another one, or none')
end
