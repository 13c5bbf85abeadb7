-- Adds a game to lists, and then changes it, for servers that hold all keys. `enlist` and `change` are the scripts of
-- these names, as functions.
-- KEYS: the set of tenants, then the keys of two calls of `enlist`, then those of `change`.
-- ARGV: a tenant to add to the set (empty: none); how many keys and arguments each call of `enlist` has (0: no call);
-- then their arguments, and those of `change`.
-- Returns how many lists had no place of the game, and the answer of `change`; or the number below 0 of `enlist`.
local key, arg = 2, 6
local function part(keys, args)
  local k, a = {}, {}
  for i = 1, keys do k[i], key = KEYS[key], key + 1 end
  for i = 1, args do a[i], arg = ARGV[arg], arg + 1 end
  return k, a
end
local added = 0
for i = 2, 4, 2 do
  if ARGV[i] ~= '0' then
    local new = enlist(part(tonumber(ARGV[i]), tonumber(ARGV[i + 1])))
    if new < 0 then return new end
    added = added + new
  end
end
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], 0, ARGV[1]) end
local answer = change(part(#KEYS - key + 1, #ARGV - arg + 1))
if type(answer) == 'table' and answer.err then return answer end
return {added, answer}
