-- Measures a game. KEYS: log, snapshot, row, access. Returns the size of its log, snapshot and access record, as it is
-- counted. If the snapshot does not say how long its log is, since an earlier build wrote it, writes it there.
local snapshot = redis.call('GETRANGE', KEYS[2], 0, 40)
local version, logged = string.match(snapshot, '^(%d+) (%d+):')
local _, colon = string.find(snapshot, ':', 1, true)
if not colon then return 0 end
local state = redis.call('STRLEN', KEYS[2]) - colon
if not logged then
  logged, version = 0, string.sub(snapshot, 1, colon - 1)
  for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', version)) do logged = logged + 24 + #entry[2][2] end
  snapshot = redis.call('GET', KEYS[2])
  redis.call('SET', KEYS[2], version .. string.format(' %d', logged) .. string.sub(snapshot, colon), 'KEEPTTL')
end
return logged + 16 + state + redis.call('STRLEN', KEYS[4])
