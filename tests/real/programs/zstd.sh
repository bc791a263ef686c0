# zstd.sh: zstd's playTests.sh, its tests of the command line, of broken dictionaries
# and old formats and of the thread pool, and its fuzzers from a fixed seed.

# shellcheck shell=bash disable=SC2034
package=libzstd
images="programs/zstd tests/datagen tests/fuzzer tests/zstreamtest
tests/invalidDictionaries tests/legacy tests/poolTests"
wrapped="programs/zstd tests/datagen"
needs="python3 file"
limit=3600

build ()
{
  make -j2 -C programs zstd MOREFLAGS=-g \
    && make -j2 -C tests datagen fuzzer zstreamtest invalidDictionaries legacy poolTests \
      MOREFLAGS=-g
}

suite ()
{
  cd tests || return
  ZSTD_BIN=../programs/zstd DATAGEN_BIN=./datagen ./playTests.sh
  echo "exit status $?"
  ./cli-tests/run.py --zstd=../programs/zstd --datagen=./datagen
  echo "exit status $?"
  for test in "invalidDictionaries" "legacy" "poolTests" "fuzzer -v -i60 -s7" \
    "zstreamtest -v -i60 -s7" "zstreamtest -v --newapi -t1 -i60 -s7"
  do
    echo "$test"
    # shellcheck disable=SC2086 # words
    $RUN ./$test
    echo "exit status $?"
  done
}

tests_run ()
{
  grep -acE '^(===>|PASS|FAIL|test ?[0-9]|exit status)|[0-9]+ :' "$1"
}
