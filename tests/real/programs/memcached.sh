# memcached.sh: memcached's own unit tests, and its tests of the server, which talk to
# it on the loopback interface.  The server has four worker threads and more.

# shellcheck shell=bash disable=SC2034
package=memcached
images="memcached-debug testapp sizes"
wrapped="memcached-debug sizes"
needs="prove event.h"
limit=3600

build ()
{
  ./configure --disable-coverage && make -j2 memcached-debug testapp sizes timedrun
}

# testapp starts the server itself: it is followed there.  Not the tests that count
# what fits into memory against the clock, or need TLS or another build, nor the one
# that prints 50 megabytes.
suite ()
{
  ./sizes
  mkdir plain && cp timedrun testapp unwrapped/memcached-debug plain || return
  (cd plain && $RUN ./testapp)
  prove -v t/00-startup.t t/64bit.t t/ascii-auth.t t/binary-get.t t/bogus-commands.t \
    t/cas.t t/conn-limits.t t/dash-M.t t/evictions.t t/flags.t \
    t/flush-all.t t/getandtouch.t t/getset.t t/incrdecr.t t/issue_104.t t/issue_108.t \
    t/issue_14.t t/issue_140.t t/issue_152.t t/issue_163.t t/issue_183.t t/issue_192.t \
    t/issue_22.t t/issue_260.t t/issue_29.t t/issue_3.t t/issue_41.t t/issue_42.t \
    t/issue_50.t t/issue_61.t t/issue_68.t t/issue_70.t t/item_size_max.t \
    t/line-lengths.t t/malicious-commands.t t/maxconns.t t/metaget.t t/misbehave.t \
    t/multiversioning.t t/noreply.t t/quit.t t/stats.t t/stats-conns.t t/stats-detail.t \
    t/strtol-testing.t t/touch.t t/udp.t t/unixsocket.t t/whitespace.t
}

tests_run ()
{
  grep -cE '^ *(not )?ok [0-9]+' "$1"
}

# Times, process numbers, ports, whether the server has seen a connection before it is
# told to end, how often flush-all.t tries what fails within one second only, and how
# many connections maxconns.t has when one is rejected.
normalize ()
{
  sed -E -e '/^Files=/d' -e '/^Succeeded!!!$/d' \
    -e '/^<[0-9]+ (new .* client connection|connection closed)/d' \
    -e '/^t\/maxconns/,/^ok$/{/^ok$/!d}' -e 's/[0-9.]+ wallclock.*//' -e 's/, *[0-9]+ ms//' \
    -e "s/(bigvalue ==) '.*/\1/" -e 's/\b(pid|port|PORT:|time|memcachetest) *[0-9]+/\1/g'
}
