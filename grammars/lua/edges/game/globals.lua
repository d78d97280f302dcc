function boot()
  log("boot")
end

function log(text)
  print(text)
end

function shared() end

local function hidden() end

hidden()
