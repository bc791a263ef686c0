# calls.sh: what function-level runs cost.  Sourced by run.

# shellcheck shell=bash disable=SC2154

# A call, and the least that exact times could cost: two bare rdtsc.  What a tool takes
# to start and to end is taken off.

# a_call N COMMAND...: nanoseconds of each of N calls, the program's own included.
a_call ()
{
  local n=$1 none all
  shift
  none=$(cpu 5 "$@" 0)
  all=$(cpu 5 "$@" "$n")
  calc "(${all:-0} - ${none:-0}) / $n"
}

C=5000000
if $CC -g -O1 "$bench/calls.c" -o calls && $CC -g -O1 -DTSC "$bench/calls.c" -o calls-tsc
then
  own=$(a_call $C ./calls)
  tick=$(calc "($(a_call $C ./calls-tsc) - $own) / 2")
  row "bare rdtsc, twice a call" "$(calc "$tick * 2")" ns 2.00 "bare rdtsc"
  call=$(calc "$(a_call $C "$KERNPROF" -q -o c.prof ./calls) - $own")
  row "kernprof, a call" "$call" ns "$(calc "$call / $tick")" "bare rdtsc" 3
  count=$(calc "$(a_call $C "$KERNPROF" -q --time=none -o c.prof ./calls) - $own")
  row "kernprof, counts only, a call" "$count" ns "$(calc "$count / $tick")" "bare rdtsc"
  if have uftrace && $CC -g -O1 -pg "$bench/calls.c" -o calls-pg
  then
    theirs=$(calc "$(a_call $((C / 10)) uftrace record --no-pager -d uftrace.data \
      ./calls-pg) - $own")
    row "uftrace (rebuilt with -pg), a call" "$theirs" ns "$(calc "$theirs / $call")" \
      "kernprof" "5 or more"
  else
    absent "uftrace (rebuilt with -pg), a call" "not installed"
  fi
else
  absent "kernprof, a call" "the program could not be made"
fi

# Start-up with many functions.
if ${SHELL:-sh} "$bench/many.sh" functions >many.c && $CC -g -O1 many.c -o many 2>>errors
then
  read -r bare_wall bare_cpu _ < <(./clock 5 ./many 2>>errors)
  read -r wall cpu _ < <(./clock 5 "$KERNPROF" -q -o m.prof ./many 2>>errors)
  row "start-up, calls of 10,000 functions" "$(calc "(${wall:-0} - $bare_wall) / 1e6")" ms \
    "$(calc "${wall:-0} / $bare_wall")" "the bare run" "1500 ms"
  row "  processor time of that" "$(calc "(${cpu:-0} - $bare_cpu) / 1e6")" ms \
    "$(calc "${cpu:-0} / ($bare_cpu + 1)")" "the bare run"
fi

# A large tree: what the run takes with all that is saved, and the larger one of the
# profiler's and the program's resident memory.
if ${SHELL:-sh} "$bench/many.sh" tree >tree.c && $CC -g -O1 tree.c -o tree 2>>errors
then
  read -r wall cpu kib < <(./clock 5 "$KERNPROF" -q -o t.prof ./tree 2>>errors)
  row "a call tree of a million nodes, run and saved" "$(calc "${wall:-0} / 1e6")" ms "" "" \
    "2000 ms"
  row "  processor time of that" "$(calc "${cpu:-0} / 1e6")" ms "" ""
  row "  its memory" "$(calc "${kib:-0} / 1024")" MB "" "" "200 MB"
fi
