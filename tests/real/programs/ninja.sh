# ninja.sh: ninja's own unit tests, and a build that it runs.  C++.  Sourced by run,
# which says what is to be defined.

# shellcheck shell=bash disable=SC2034,SC2154
package=ninja-build
images="out/ninja out/ninja_test"
needs="cmake"
limit=1200

build ()
{
  cmake -S . -B out -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O2 -g" && make -C out -j2
}

# A tree of files that depend on each other, built, built again, and cleaned.
suite ()
{
  $RUN out/ninja_test
  echo "exit status $?"
  mkdir -p tree && cd tree || return
  {
    printf 'rule cat\n  command = cat $in > $out\n'
    for i in {1..60}
    do echo "build o$i: cat s$i o$((i / 2))"
    done
  } >build.ninja
  echo top >o0
  for i in {1..60}
  do echo "$i" >"s$i"
  done
  $RUN ../out/ninja -j1 -v
  $RUN ../out/ninja
  touch s7
  $RUN ../out/ninja -j4 >/dev/null
  echo "exit status $?"
  cat o60
  $RUN ../out/ninja -t query o7
  $RUN ../out/ninja -t clean
}

tests_run ()
{
  grep -oE '^\[[0-9]+/[0-9]+\]|[0-9]+ tests passed' "$1" | awk '/passed/ { n += $1 } /^\[/ { n++ } END { print n }'
}

normalize ()
{
  tr '\r' '\n' | sed -E -e 's/[0-9.]+ ?m?s\b/TIME/g'
}
