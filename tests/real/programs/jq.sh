# jq.sh: jq's tests of regular expressions, encodings and optional functions, and the
# first ones of the language.  Each compiles jq's own library anew, fifty times as long
# when it is profiled: not all of the language, not the manual's, nor shtest, which
# starts jq some hundred times.  Debian ships Oniguruma, the library of the regular
# expressions, as a source of its own; both are linked into jq.

# shellcheck shell=bash disable=SC2034,SC2154
package=jq
images="jq"
wrapped=$images
needs="autoreconf libtoolize"
limit=3600

fetch ()
{
  source_package jq jq && source_package libonig onig
}

build ()
{
  cp -a "$cache/onig" onig
  (cd onig && autoreconf -fi && ./configure --disable-shared --prefix="$PWD/../onig-here" \
    && make -j2 && make install) || return
  autoreconf -fi
  ./configure --with-oniguruma="$PWD/onig-here" --disable-shared \
    --disable-maintainer-mode --disable-docs
  make -j2
}

suite ()
{
  local script
  for script in optionaltest onigtest utf8test base64test
  do
    echo "$script"
    NO_VALGRIND=1 sh "tests/$script"
    echo "exit status $?"
  done
  head -n 200 tests/jq.test >tests/first.test
  ./jq -L tests/modules --run-tests tests/first.test
}

# Its own count, and the scripts.
tests_run ()
{
  awk '/^exit status/ { n++ } / of [0-9]+ tests passed/ { n += $3 } END { print n + 0 }' "$1"
}
