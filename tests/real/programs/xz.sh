# xz.sh: xz's `make check': liblzma's tests, and xz on good and bad files.  The
# library is linked into the programs.

# shellcheck shell=bash disable=SC2034
package=xz-utils
images="src/xz/xz src/xzdec/xzdec tests/create_compress_files tests/test_check
tests/test_hardware tests/test_stream_flags tests/test_filter_flags
tests/test_block_header tests/test_index tests/test_index_hash
tests/test_bcj_exact_size tests/test_memlimit tests/test_lzip_decoder tests/test_vli"
wrapped=$images
limit=3600

build ()
{
  ./configure --disable-shared && make -j2 && make -j2 -C tests check TESTS=
}

suite ()
{
  make -s -C tests check
  cat tests/*.log
}

# What each test program says it did, and each file and script.
tests_run ()
{
  grep -cE '^(PASS|FAIL|SKIP|ERROR|XFAIL)' "$1"
}

normalize ()
{
  sed "s|$cache/work/||g"
}
