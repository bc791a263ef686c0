# build.sh: Lua and SQLite as their own makefiles build them, with -g.  Sourced
# behind fetch.sh.  Each result is kept in the cache.

# shellcheck shell=sh disable=SC2154

# build_lua LEVEL NAME MORE_FLAGS...: $cache/NAME
build_lua ()
{
  level=$1 name=$2
  shift 2
  test -x "$cache/$name" && return
  mkdir -p "$cache/$name.o" || return 1
  for file in "$cache"/lua/src/*.c
  do
    case $file in */luac.c) continue ;; esac
    (cd "$cache/lua/src" \
      && $CC -std=gnu99 -g "$level" -DLUA_COMPAT_5_3 -DLUA_USE_LINUX "$@" \
	-c "${file##*/}" -o "$cache/$name.o/$(basename "$file" .c).o") || return 1
  done
  $CC "$@" -Wl,-E "$cache/$name.o"/*.o -o "$cache/$name" -lm -ldl
}

# The one big file that SQLite is normally built from; needs Tcl.
sqlite_amalgamation ()
{
  test -s "$cache/sqlite/sqlite3.c" && return
  (cd "$cache/sqlite" \
    && ./configure --disable-tcl --disable-readline \
    && make sqlite3.c shell.c) >"$cache/sqlite.log" 2>&1
}

# build_sqlite LEVEL NAME MORE_FLAGS...
build_sqlite ()
{
  level=$1 name=$2
  shift 2
  test -x "$cache/$name" && return
  (cd "$cache/sqlite" \
    && $CC -g "$level" -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE \
      -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_THREADSAFE=1 "$@" \
      shell.c sqlite3.c -o "$cache/$name" -lpthread -ldl -lm)
}
