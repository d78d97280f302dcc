local Animal = {}
Animal.__index = Animal

function Animal.new(name)
  local self = setmetatable({}, Animal)
  self.name = name
  self:reset()
  return self
end

function Animal:reset()
  self.energy = 1
end

function Animal:speak()
  self:reset()
  return self.name
end

function Animal:rename(name)
  self.name = name
  return self:speak()
end

return Animal
