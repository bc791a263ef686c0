# hits.awk: compare `kernprof view --csv' with the HITS comments of a source.
# Arguments: the CSV file, the source.  Prints what differs, and nothing else.
# `HITS 6|5': versions of a compiler differ, and either is right; `none': the line may
# have no code.

# The fields of a CSV record into F; quoted fields may hold commas and "".
function split_csv (record, f,    n, c, i, quoted)
{
  n = 1
  f[n] = ""
  quoted = 0
  for (i = 1; i <= length (record); i++)
    {
      c = substr (record, i, 1)
      if (c == "\"" && quoted && substr (record, i + 1, 1) == "\"")
	f[n] = f[n] substr (record, ++i, 1)
      else if (c == "\"")
	quoted = !quoted
      else if (c == "," && !quoted)
	f[++n] = ""
      else
	f[n] = f[n] c
    }
  return n
}

function base (path)
{
  sub (/.*\//, "", path)
  return path
}

FNR == NR && FNR == 1 {
  n = split_csv ($0, field)
  for (i = 1; i <= n; i++)
    column[tolower (field[i])] = i
  if (!("file" in column) || !("line" in column) || !("hits" in column))
    {
      print "no file, line and hits in the header of the CSV: " $0
      exit
    }
  next
}

FNR == NR {
  split_csv ($0, field)
  key = base (field[column["file"]]) ":" field[column["line"]]
  got[key] += field[column["hits"]]
  next
}

# Is VALUE one of those in WANT?
function is_among (value, want,    n, i, one)
{
  n = split (want, one, "|")
  for (i = 1; i <= n; i++)
    if (one[i] == value)
      return 1
  return 0
}

match ($0, /HITS [0-9]+(\|([0-9]+|none))*/) {
  want = substr ($0, RSTART + 5, RLENGTH - 5)
  key = base (FILENAME) ":" FNR
  if (!(key in got) && !is_among("none", want))
    print key ": expected " want " hits, is not in the profile"
  else if (key in got && !is_among(got[key], want))
    print key ": expected " want " hits, got " got[key]
  checked++
}

END {
  if (!checked)
    print "nothing was compared"
}
