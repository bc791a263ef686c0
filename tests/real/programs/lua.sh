# lua.sh: Lua's own test suite.  Debian's source leaves it out; it is taken from
# $LUA_TESTS, a folder that holds lua-5.4.4-tests unpacked, or from lua.org.  Without
# it workload.lua alone is run.

# shellcheck shell=bash disable=SC2034,SC2154
package=lua5.4
images="src/lua"
needs="readline/readline.h"
limit=3600

# Kept in the cache.
lua_tests ()
{
  local from=${LUA_TESTS-} suite=lua-5.4.4-tests
  test -d "$cache/lua-tests" && return
  mkdir -p "$cache/lua-tests"
  if test "$from"
  then
    cp -a "$from/." "$cache/lua-tests"
  else
    curl -sfm 30 "https://www.lua.org/tests/$suite.tar.gz" \
      | tar -C "$cache/lua-tests" --strip-components=1 -xzf - \
      || rm -rf "$cache/lua-tests"
  fi
}

build ()
{
  make -j2 linux-readline MYCFLAGS=-g || return
  cp "$real/workload.lua" .
  lua_tests 2>/dev/null
  test -f "$cache/lua-tests/all.lua" || return 0
  cp -a "$cache/lua-tests" tests && make -C tests/libs LUA_DIR=../../src
}

suite ()
{
  $RUN src/lua workload.lua
  echo "exit status $?"
  test -d tests || return 0
  cd tests || return
  $RUN ../src/lua -e "_soft=true" all.lua
}

# The files of the suite, and the lines of workload.lua.
tests_run ()
{
  grep -cE "^testing|^[*]+ FILE|^[a-z]+	|^FORLOOP" "$1"
}

# Seeds and what is drawn from them, memory, times, processes and names of temporary
# files differ from run to run.
normalize ()
{
  sed -E -e '/^random seeds/d' -e '/total memory:/d' -e '/^(total|current) time/d' \
    -e '/^time: /d' -e '/random range in/d' -e 's/, with [0-9]+ comparisons//' \
    -e 's/(short-circuit optimizations) \([01]\)/\1/' \
    -e 's/[0-9.]+ (sec|msec)/\1/g' -e 's/\bpid [0-9]+/pid/' -e 's/with [0-9]+ kills/killed/' \
    -e 's|/tmp/lua_[A-Za-z0-9]*|TEMPORARY|' -e 's/0x[0-9a-f]+/ADDRESS/g'
}
