local util = {}

local function check(value)
  assert(value)
end

function util.round(value)
  check(value)
  return math.floor(value)
end

util.clamp = function(value)
  return util.round(value)
end

function util.each(list, visit)
  for _, item in ipairs(list) do
    visit(item)
  end
end

function util.speak()
  hidden()
end

return util
