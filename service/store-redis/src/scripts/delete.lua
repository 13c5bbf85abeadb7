-- Deletes a game. KEYS: log, snapshot, row, access. Returns its row, and the size of its log, snapshot and access record
-- as far as it was counted; nil if the game does not exist.
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
tell('0-0')
local row = redis.call('GET', KEYS[3]) or ''
local start = redis.call('GETRANGE', KEYS[2], 0, 40)
local logged, _, colon = string.match(start, '^%d+ (%d+):'), string.find(start, ':', 1, true)
local size = logged and logged + 16 + redis.call('STRLEN', KEYS[2]) - colon + redis.call('STRLEN', KEYS[4])
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.pcall('PUBLISH', KEYS[1], '0')
return {row, size or -1}
