-- workload.lua: most of what the virtual machine can do.  Prints nothing that
-- depends on addresses, time or the order of pairs().

-- Every iteration of a numeric loop executes FORLOOP once; the last line printed
-- says how often that was.
local forloops = 0

local function count (n)
  forloops = forloops + n
  return n
end

local function million ()
  local x = 0
  for i = 1, count (1000000) do
    x = x + i
  end
  return x
end

local function float_loop ()
  local x = 0.0
  for v = 0.5, count (2000), 1.0 do
    x = x + v * v / 2
  end
  return x
end

local function fib (n)
  if n < 2 then return n end
  return fib (n - 1) + fib (n - 2)
end

local function strings ()
  local parts = {}
  for i = 1, count (3000) do
    parts[#parts + 1] = ("%d:%x;"):format (i, i * 7) .. tostring (i % 13)
  end
  local s = table.concat (parts, ",")
  local n = 0
  for word in s:gmatch ("%d+:") do
    n = n + #word
  end
  return #s, n, s:sub (100, 120), (s:gsub ("1", "one")):len (), s:rep (3):reverse ():byte (5)
end

local function tables ()
  local t = {}
  for i = 1, count (5000) do
    t["key" .. i] = i
    t[i] = i * i
  end
  local sum, n = 0, 0
  for k, v in pairs (t) do
    sum, n = sum + v, n + 1
    t[k] = nil
  end
  local list = {}
  for i = 1, count (2000) do
    list[i] = (i * 7919) % 2003
  end
  table.sort (list, function (a, b) return a > b end)
  return sum, n, next (t), list[1], list[2000], #list
end

local Animal = {}
Animal.__index = Animal
Animal.__add = function (a, b) return Animal.new (a.weight + b.weight) end
Animal.__eq = function (a, b) return a.weight == b.weight end
Animal.__lt = function (a, b) return a.weight < b.weight end
Animal.__le = function (a, b) return a.weight <= b.weight end
Animal.__concat = function (a, b) return "animal" .. tostring (b) end
Animal.__len = function (a) return a.weight end
Animal.__call = function (self, x) return self.weight * x end

function Animal.new (weight)
  return setmetatable ({ weight = weight }, Animal)
end

function Animal:grow (n)
  self.weight = self.weight + n
  return self
end

local function objects ()
  local a, b = Animal.new (3), Animal.new (4)
  for i = 1, count (1000) do
    a:grow (i % 3)
    b = (a + b):grow (-1)
  end
  return a.weight, b.weight, a < b, a <= b, a == b, #a, a (2), a .. 5
end

local function closures ()
  local adders = {}
  for i = 1, count (500) do
    local hidden = i
    adders[i] = function (x)
      hidden = hidden + x
      return hidden
    end
  end
  local sum = 0
  for i = 1, count (500) do
    sum = sum + adders[i] (i) + adders[i] (1)
  end
  return sum
end

local function coroutines ()
  local function producer (n)
    return coroutine.wrap (function ()
      for i = 1, n do
        coroutine.yield (i, i * 2)
      end
      return "done"
    end)
  end
  local sum, next_value = 0, producer (count (2000))
  while true do
    local a, b = next_value ()
    if a == "done" then break end
    sum = sum + a + b
  end
  return sum
end

local function errors ()
  local caught = 0
  for i = 1, count (500) do
    local ok, message = pcall (function ()
      if i % 3 == 0 then error ("text " .. i) end
      if i % 3 == 1 then error ({ code = i }) end
      return nil + 1
    end)
    if not ok then
      caught = caught + (type (message) == "table" and message.code or #message)
    end
  end
  local ok, message = xpcall (error, function (m) return "handled: " .. m end, "x", 0)
  return caught, ok, message
end

local function varargs (...)
  local n, sum = select ("#", ...), 0
  for _, v in ipairs ({ ... }) do
    sum = sum + v
  end
  return n, sum
end

local function arithmetic ()
  local x, y = 7, 2.5
  for i = 1, count (3000) do
    x = ((x * 31 + i) // 3) % 65521
    x = (x << 2 | x >> 3) ~ 0x55 & 0xffff
    y = (y ^ 1.01 + -x % 7) / 1.5
    if y > 1e6 or y ~= y then y = 1 end
    x = math.tointeger (x) or 0
  end
  return x, ("%.6f"):format (y), 7 // 2, -7 // 2, 7 % -3, 3 | 4, ~5, 10 / 4
end

local function collection ()
  local weak = setmetatable ({}, { __mode = "k" })
  local finalised = 0
  for i = 1, count (2000) do
    weak[{}] = i
    setmetatable ({}, { __gc = function () finalised = finalised + 1 end })
  end
  collectgarbage ()
  collectgarbage ()
  collectgarbage ("generational")
  local keep = {}
  for i = 1, count (3000) do
    keep[i % 100] = { i }
  end
  collectgarbage ("incremental")
  collectgarbage ()
  return next (weak), finalised
end

local function gotos ()
  local n = 0
  ::again::
  n = n + 1
  if n < 1000 then goto again end
  repeat
    n = n - 3
    local stop <const> = n < 10
  until stop
  local closed = 0
  for _ = 1, count (100) do
    local guard <close> = setmetatable ({}, { __close = function () closed = closed + 1 end })
    if n > 1000 then break end
  end
  return n, closed
end

local function loaded ()
  local chunk = assert (load ("local a, b = ...; return a * b, a .. b"))
  local broken, message = load ("return +", "=broken")
  return chunk (6, 7), broken, message
end

print ("million", million ())
print ("float", float_loop ())
print ("fib", fib (20))
print ("strings", strings ())
print ("tables", tables ())
print ("objects", objects ())
print ("closures", closures ())
print ("coroutines", coroutines ())
print ("errors", errors ())
print ("varargs", varargs (1, 2, 3, 4, 5.5))
print ("arithmetic", arithmetic ())
print ("collection", collection ())
print ("gotos", gotos ())
print ("loaded", loaded ())
io.stderr:write ("to stderr\n")
print ("FORLOOP", forloops)
os.exit (3, true)
