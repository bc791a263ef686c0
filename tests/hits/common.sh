# common.sh: what hits.tap, engines.tap and fuzz share.  Sourced behind tap.sh,
# with $workdir made.

# shellcheck shell=sh
tools=$top_builddir/tests/hits
corpus=$top_srcdir/tests/corpus
oracle=$top_srcdir/tests/hits/oracle

# build COMPILER LEVEL SOURCE [OPTION...]: to $workdir/prog.
build ()
{
  compiler=$1 level=$2 source=$3
  shift 3
  case $compiler:$source in
    gcc:*.cc) set -- g++ -std=c++17 "$@" ;;
    clang:*.cc) set -- clang++ -std=c++17 "$@" ;;
    *) set -- "$compiler" "$@" ;;
  esac
  "$@" -w -g "$level" -Wl,-z,now "$source" -o "$workdir/prog"
}

# "file:line hits" of $workdir/prog without the engines.
stepped ()
{
  "$tools/step" "$workdir/edges" "$workdir/prog" > "$workdir/out" \
    && "$tools/evaluate" "$workdir/prog" "$workdir/edges" | sed 's/ ~$//'
}

# The same of ENGINE's report, lines with hits only, sorted.  No comma is in the
# columns before the hits but in names, which are quoted then.
profiled ()
{
  "$KERNPROF" -l -q --engine="$1" -o "$workdir/profile" "$workdir/prog" \
      > "$workdir/out.$1" 2> "$workdir/err" \
    && "$KERNPROF" view --csv --top=0 "$workdir/profile" | awk -F, '
      NR > 1 {
	file = $1; sub (/.*\//, "", file)
	line = $0; gsub (/"[^"]*"/, "name", line); split (line, field, ",")
	if (field[5] > 0) hits[file ":" field[4]] += field[5]
      }
      END { for (line in hits) print line, hits[line] }' | sort
}

with_hits ()
{
  awk '$2 > 0' "$@" | sort
}

# Lines of HITS whose number is not that of COUNTS.  The differences that KNOWN
# lists must be just so.
differences ()
{
  awk '
    FILENAME == ARGV[1] && !/^#/ { expected[$1] = $2 " " $3; next }
    FILENAME == ARGV[2] { count[$1] = $2; next }
    FILENAME == ARGV[3] && $1 in count {
      if (!($1 in expected))
	{ if ($2 != count[$1]) print $1 ": hits " $2 ", gcov " count[$1] }
      else if (expected[$1] != $2 " " count[$1])
	print $1 ": hits " $2 ", gcov " count[$1] ", known " expected[$1]
    }' "$3" "$2" "$1"
}

in_both ()
{
  awk 'NR == FNR { seen[$1]; next } $1 in seen { n++ } END { print n + 0 }' \
    "$1" "$2"
}
