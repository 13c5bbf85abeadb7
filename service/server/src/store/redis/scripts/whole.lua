-- Are the lists of kinds whole? KEYS: what processes want, since when all of them keep these lists, and
-- since when they did when all games were put there. ARGV: since when they did when this process last heard.
-- Returns 1, or 0 if not, or if a process of an older build is there.
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
for _, process in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(process, -6) ~= '+kinds' then return 0 end
end
return 1
