-- Deletes a game. KEYS: log, snapshot, row, access. Returns its row; nil if the game does not exist.
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
tell('0-0')
local row = redis.call('GET', KEYS[3]) or ''
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.pcall('PUBLISH', KEYS[1], '0')
return row
