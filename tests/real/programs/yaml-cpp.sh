# yaml-cpp.sh: the own tests of yaml-cpp, C++ with templates, whose parser throws and
# catches exceptions all the time; on googletest.  Sourced by run, which says what is
# to be defined.

# shellcheck shell=bash disable=SC2034,SC2154
package=yaml-cpp
images="tested"
needs="/usr/src/googletest/googlemock/src/gmock-all.cc"
limit=1200

build ()
{
  local google=/usr/src/googletest
  g++ -std=c++14 -g -O2 -Iinclude -Isrc -Itest -Itest/integration \
    -I$google/googletest/include -I$google/googletest \
    -I$google/googlemock/include -I$google/googlemock \
    src/*.cpp src/contrib/*.cpp test/*.cpp test/*/*.cpp \
    $google/googletest/src/gtest-all.cc $google/googlemock/src/gmock-all.cc \
    -o tested -pthread
}

suite ()
{
  $RUN ./tested
}

tests_run ()
{
  grep -cE '^\[ +OK \]' "$1"
}

normalize ()
{
  sed -E -e 's/\([0-9]+ ms( total)?\)/(TIME)/'
}
