# results.sh: the table of what was profiled, $RESULTS.  Sourced by run.
#
# A program is a line of its own there, which a run of that program replaces, and
# each of its functions that was not cloned is another, with the reason.

# shellcheck shell=bash disable=SC2154

results_head='# Written by tests/real/run: Debian sources under their own test suites, with every
# function of the programs profiled line by line.  Functions are counted in each
# program that the suite runs.  Differences are lines of output; slowdown is the time
# of the processors that the suite took, profiled to bare, planning included.
#
# program version functions cloned breakpoints refused tests runs differences slowdown'

# plan NAME: "IMAGE FUNCTION ENGINE REASON" of all its functions.
plan ()
{
  local image
  for image in $images
  do
    image=$cache/work/$1/$image
    test -x "${image%/*}/unwrapped/${image##*/}" && image=${image%/*}/unwrapped/${image##*/}
    "$KERNPROF" --explain=plan "$image" \
      | sed -n "s/^\\([^ ].*\\): \\(clone\\|breakpoint\\|refused\\)\\b[^(]*(\\{0,1\\}\\(.*[^)]\\)\\{0,1\\})\\{0,1\\}\$/${image##*/}	\\1	\\2	\\3/p"
  done
}

# results_row NAME: leaves row and reasons.
results_row ()
{
  plan "$1" >plan
  awk -F'\t' -v name="$1" '$3 != "clone" { print "  " name " " $1 ": " $2 ": " $3 ": " $4 }' \
    plan >reasons
  awk -F'\t' -v name="$1" -v version="$(results_version)" -v tests="$(tests_run prof.log)" \
    -v runs="$(wc -l <"$PROFILES/runs")" -v bare="$(cat bare.cpu)" -v prof="$(cat prof.cpu)" \
    -v differences="$(diff -a bare.log prof.log | grep -ac '^[<>]')" \
    '{ n[$3]++ }
     END { printf "%-10s %-14s %6d %6d %4d %4d %7d %6d %4d %7.1f\n", name, version, NR,
	     n["clone"], n["breakpoint"], n["refused"], tests, runs, differences,
	     prof / (bare ? bare : 1) }' plan >row
  sed 's/^/# /' row reasons
}

# The upstream version of $package in the cache.
results_version ()
{
  local dsc
  dsc=$(cd "$cache/dl" && ls -t "$package"_*.dsc | head -n 1)
  dsc=${dsc#*_}
  echo "${dsc%-*.dsc}"
}

# results_save NAME: row and reasons take the place of NAME's in $RESULTS.
results_save ()
{
  test -f "$RESULTS" || : >"$RESULTS"
  {
    echo "$results_head"
    { grep -v "^#\|^ \|^$1 \|^all " "$RESULTS"; cat row; } | sort >rows
    cat rows
    awk '{ for (i = 3; i <= 9; i++) n[i] += $i }
	 END { printf "%-10s %-14s %6d %6d %4d %4d %7d %6d %4d\n", "all", "", n[3], n[4], n[5],
		 n[6], n[7], n[8], n[9] }' rows
    { grep '^  ' "$RESULTS" | grep -v "^  $1 "; cat reasons; } | sort
  } >results.new
  cp results.new "$RESULTS"
}
