# times.awk: compare `kernprof view --csv' with the TIME comments of a source.
# Arguments: the microseconds that the program says, `NAME N' a line; the CSV file; the source.
# A line's time must be NAME's, or more by what else takes time around it on a busy
# machine: from 80 to 200 %, and a twentieth of all times.  (Where the time of stacks that
# wait counts, it is several times as much.)  Prints what differs.

FILENAME == ARGV[1] {
  want[$1] = $2 * 1000
  all += $2 * 1000
  next
}

FILENAME == ARGV[2] && FNR == 1 {
  n = split ($0, field, ",")
  for (i = 1; i <= n; i++)
    column[field[i]] = i
  next
}

# The program's functions have no commas in their names.
FILENAME == ARGV[2] {
  split ($0, field, ",")
  if (field[column["hits"]] > 0)
    got[field[column["line"]]] += field[column["time_ns"]]
  next
}

match ($0, /TIME [a-z]+/) {
  name = substr ($0, RSTART + 5, RLENGTH - 5)
  if (!(FNR in got) || !want[name])
    next
  time = got[FNR]
  if (time < want[name] * .8 || time > want[name] * 2 + all / 20)
    printf "line %d: %.1f ms of %s's %.1f\n", FNR, time / 1e6, name, want[name] / 1e6
  checked++
}

END {
  if (!checked)
    print "nothing was compared"
}
