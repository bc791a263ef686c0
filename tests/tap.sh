# tap.sh: what the TAP scripts share.  Sourced; $top_srcdir, $top_builddir,
# $TARGETS, $KERNPROF and $CC come from make (tests/Makefile.am), or are guessed
# so that a script can be started by hand from its build folder.

# shellcheck shell=sh
: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${top_builddir:=$top_srcdir}"
: "${TARGETS:=$top_builddir/tests/targets}"
: "${KERNPROF:=$top_builddir/kernprof/kernprof}"
: "${CC:=gcc}"
export top_srcdir top_builddir TARGETS KERNPROF CC LC_ALL=C
count=0
failures=0

ok ()
{
  count=$((count + 1))
  echo "ok $count - $1"
}

# not_ok NAME [DETAILS]
not_ok ()
{
  count=$((count + 1))
  failures=$((failures + 1))
  echo "not ok $count - $1"
  test -z "${2-}" || printf '%s\n' "$2" | sed 's/^/#   /'
}

# skip NAME REASON
skip ()
{
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

skip_all ()
{
  echo "1..0 # SKIP $1"
  exit 0
}

# is NAME GOT EXPECTED
is ()
{
  if test "$2" = "$3"
  then
    ok "$1"
  else
    not_ok "$1" "got:
$2
expected:
$3"
  fi
}

# is_empty NAME TEXT: there is nothing to complain about.
is_empty ()
{
  if test -z "$2"
  then
    ok "$1"
  else
    not_ok "$1" "$2"
  fi
}

# like NAME TEXT PATTERN: TEXT matches the extended regular expression.
like ()
{
  if printf '%s\n' "$2" | grep -Eq -e "$3"
  then
    ok "$1"
  else
    not_ok "$1" "got:
$2
expected to match: $3"
  fi
}

# same_file NAME GOT EXPECTED
same_file ()
{
  if cmp -s "$2" "$3"
  then
    ok "$1"
  else
    not_ok "$1" "$(diff -u "$3" "$2" | head -n 20)"
  fi
}

have ()
{
  command -v "$1" >/dev/null 2>&1
}

# A folder of this test's own, removed at the end.
make_workdir ()
{
  workdir=$(mktemp -d "${TMPDIR:-/tmp}/lineprof-test.XXXXXX") || exit 1
  trap 'rm -rf "$workdir"' EXIT
  trap 'exit 1' HUP INT TERM
}

done_testing ()
{
  echo "1..$count"
  test "$failures" -eq 0
}
