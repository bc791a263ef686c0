# e2e.sh: programs run bare and under kernprof, and compared.  Sourced by the
# e2e-*.tap scripts behind tap.sh.

# shellcheck shell=sh disable=SC2154
targets=$top_srcdir/tests/targets
CXX=${CXX:-g++}

# A working folder with the helpers in it; skips everything where no process may
# trace another.
e2e_begin ()
{
  if ! test -x "$KERNPROF"
  then
    echo "Bail out! $KERNPROF is not built"
    exit 1
  fi
  make_workdir
  $CC -O1 "$targets/status.c" -o "$workdir/status" || exit 1
  $CC -O1 "$targets/canptrace.c" -o "$workdir/canptrace" || exit 1
  "$workdir/canptrace" || skip_all "ptrace(2) is not permitted here"
  cd "$workdir" || exit 1
}

# compile NAME SOURCE FLAGS...: builds $workdir/NAME from targets/SOURCE.
compile ()
{
  name=$1 source=$2
  shift 2
  case $source in
    *.cc)
      have "$CXX" || return 1
      $CXX -g -w "$@" "$targets/$source" -o "$workdir/$name" -pthread
      ;;
    *) $CC -g -w "$@" "$targets/$source" -o "$workdir/$name" -pthread ;;
  esac
}

# run KIND COMMAND...: leaves KIND.out, KIND.err and KIND.status.  BEFORE, words, come
# before COMMAND.
run ()
{
  kind=$1
  shift
  # shellcheck disable=SC2086 # words
  timeout -k 5 "${LIMIT:-180}" "$workdir/status" ${BEFORE-} "$@" <"${INPUT:-/dev/null}" \
    >"$workdir/$kind.out" 2>"$workdir/$kind.err" 3>"$workdir/$kind.status" \
    || echo "no end in ${LIMIT:-180} s" >>"$workdir/$kind.status"
}

# compare NAME OPTIONS PROGRAM ARGS...: the program behaves the same when
# profiled.  Leaves the profile in prof.lprof.
compare ()
{
  title=$1 options=$2
  shift 2
  rm -f "$workdir/prof.lprof"
  run bare "$@"
  # shellcheck disable=SC2086 # options are words
  run prof "$KERNPROF" -l $options -o prof.lprof "$@"
  sed -e '/^Wrote profile results to /d' -e '/^Inspect results with: /d' \
    prof.err >prof.err2
  differ=$(
    diff bare.status prof.status
    cmp -s bare.out prof.out || diff -a bare.out prof.out | head -n 10
    diff -a bare.err prof.err2 | head -n 10
    test -s prof.lprof || echo "no profile was written"
  )
  is_empty "$title: output and end are the same" "$differ"
}

# hits NAME SOURCE: every line of targets/SOURCE that says `HITS n' has n hits in
# prof.lprof.
hits ()
{
  "$KERNPROF" view --csv prof.lprof >prof.csv 2>view.err \
    || cat view.err >>prof.csv
  is_empty "$1: hits are as the source says" \
    "$(awk -f "$top_srcdir/tests/hits.awk" prof.csv "$targets/$2")"
}
