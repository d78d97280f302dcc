function shared() end

shared()
