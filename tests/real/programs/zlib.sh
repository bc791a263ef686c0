# zlib.sh: zlib's `make test', and the program that covers every line of inflate.
# Sourced by run, which says what is to be defined.

# shellcheck shell=bash disable=SC2034,SC2154
package=zlib
images="minigzip example minigzip64 example64 infcover minigzipsh examplesh"
limit=120

build ()
{
  CFLAGS="-O3 -g" ./configure && make -j2 all infcover
}

suite ()
{
  make -s test QEMU_RUN="$RUN"
  $RUN ./infcover
}

# What example, which checks as it goes, and minigzip say was right.
tests_run ()
{
  grep -cE 'OK|^[a-z ]*(fl|de|)ate.*:|^[a-z]+\(\)|performed' "$1"
}
