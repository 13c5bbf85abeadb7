-- Returns the commands that the user may not run. ARGV: lines of commands, their words separated by spaces.
local denied = {}
for line in string.gmatch(ARGV[1], '[^\n]+') do
  local words = {}
  for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
  if not redis.acl_check_cmd(unpack(words)) then denied[#denied + 1] = line end
end
return denied
