# zstd.sh: a part of zstd's tests of the command line, its tests of broken dictionaries
# and old formats and of the thread pool, and its fuzzers from a fixed seed.  Not what
# takes hours: playTests.sh, which starts zstd some thousand times, and what the fuzzers
# do before the first random test.

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

scripts="basic/help basic/version file-stat/compress-file-to-file
file-stat/decompress-file-to-file"

suite ()
{
  cd tests || return
  # shellcheck disable=SC2046 # words
  ./cli-tests/run.py --timeout=0 --zstd=../programs/zstd --datagen=./datagen $(printf '%s.sh ' $scripts)
  echo "exit status $?"
  for test in "invalidDictionaries" "legacy" "poolTests" "fuzzer -v -t1 -i20 -s7" \
    "zstreamtest -v -t1 -i20 -s7"
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

# How far it has come is shown now and then.
normalize ()
{
  sed -E 's/\r *[0-9]+ *\/ *[0-9]+ *//g'
}
