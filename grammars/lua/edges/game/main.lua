local Animal = require("animal")
local Dog = require "dog"
local util = require("lib.util")
local clamp = require("lib.util").clamp
require("globals")

local M = {}

local function speak(animal)
  animal:speak()
end

local function helper()
  return util.round(1.5)
end

local function shadow(helper)
  helper()
end

function M.start()
  helper()
  clamp(3)
  local cat = Animal.new("cat")
  cat:speak()
  local dog = Dog.new("rex")
  dog:speak()
  dog:rename("max")
  speak(dog)
  util.each({ 1, 2 }, helper)
  shared()
  require("lib.util").round(2)
  boot()
  M.stop()
end

function M.stop()
  local done = function(code)
    return code
  end
  done(0)
  local list = {}
  list:push(1)
end

function M:close()
  self:flush()
end

function M:flush()
  speak(self)
end

return M
