# bzip2.sh: bzip2's `make check'.

# shellcheck shell=bash disable=SC2034
package=bzip2
images="bzip2"
wrapped=$images
limit=120

build ()
{
  make -j2 bzip2
}

suite ()
{
  make check
}

tests_run ()
{
  grep -c '^cmp ' "$1"
}
