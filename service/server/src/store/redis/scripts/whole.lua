-- Checks that the lists of kinds are whole. KEYS: the announcements of processes; since when every process has
-- maintained these lists; the value of that key when all games were added there. ARGV: the value that this process read.
-- Returns 1, or 0 if that value is outdated, or if a process of an older build is running.
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
for _, process in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(process, -6) ~= '+kinds' then return 0 end
end
return 1
