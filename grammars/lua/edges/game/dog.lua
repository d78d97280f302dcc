local Animal = require("animal")

-- Of the same name as a function of main.lua, and as local.
local function helper() end

local Dog = setmetatable({}, { __index = Animal })
Dog.__index = Dog

function Dog.new(name)
  local self = setmetatable(Animal.new(name), Dog)
  self:fetch()
  return self
end

function Dog:speak()
  Animal.speak(self)
  self:rename("wuff")
end

function Dog:fetch()
  helper()
end


return Dog
