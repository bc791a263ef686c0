#!/bin/sh
# compare-lines.sh FILE [DEBUG-FILE]: are the line tables of FILE, whose debug
# information is in DEBUG-FILE, what llvm-dwarfdump and eu-readelf say?  Prints the
# first differences and exits with 1 when not.  $DUMP is the program dump_dwarf; a
# tool that is missing is left out (77: both are), with READERS=eu the first.

file=${2:-$1}
export LC_ALL=C
: "${DUMP:=./dump_dwarf}"
LLVM=
test "${READERS-}" = eu || LLVM=$(command -v llvm-dwarfdump || command -v llvm-dwarfdump-14)
EU=$(command -v eu-readelf)
test "$LLVM$EU" || exit 77
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$DUMP" tables "$1" >"$tmp/all" || exit 1

# A table's rows in the order of address, as ours are: what has one address stays in
# its order.
ordered ()
{
  awk '{ print $0, NR }' | sort -k2,2 -k3,3n -k4,4 -k8,8n | sed 's/ [0-9]*$//'
}

# Everything llvm-dwarfdump shows of tables: files and rows, sequence by sequence.
from_llvm ()
{
  "$LLVM" --debug-line "$file" | awk '
    function flush_file() {
      if (pending) print "file", offset, number, dir, name md5
      pending = 0
    }
    /^debug_line\[/ { flush_file(); offset = tolower($0)
      sub(/^debug_line\[0x0*/, "", offset); sub(/\].*/, "", offset)
      if (offset == "") offset = "0"
      seq = 0; next }
    /^file_names\[/ { flush_file(); number = $0
      sub(/^file_names\[ */, "", number); sub(/\].*/, "", number)
      pending = 1; md5 = ""; next }
    pending && /^ *name: / { name = $0; sub(/^ *name: "/, "", name); sub(/"$/, "", name) }
    pending && /^ *dir_index: / { dir = $2 }
    pending && /^ *md5_checksum: / { md5 = " " $2 }
    /^Address / { flush_file() }
    /^0x/ { if (/end_sequence/) {
	  if (rows) { print "end", offset, seq, substr($1, 3); seq++ }
	  rows = 0
	}
	else { print "row", offset, seq, substr($1, 3), $2, $4, (/is_stmt/ ? "S" : "-"); rows++ }
    }
    END { flush_file() }'
}

# eu-readelf mixes the sequences of a unit, and of what discarded functions left at
# address 0 it shows only a part.  So: line and address of each row above those.
from_eu ()
{
  "$EU" --debug-dump=decodedline "$file" 2>/dev/null | awk '
    /^ +[0-9]+:[0-9]+ / && !/\*/ && match($0, /0x[0-9a-f]+/) {
      line = $1; sub(/:.*/, "", line)
      print substr($0, RSTART + 2, RLENGTH - 2), line, ($2 ~ /S/ ? "S" : "-") }'
}

# The end of the last sequence that starts at address 0.
dead_end ()
{
  awk '$1 == "row" && !(($2, $3) in start) { start[$2, $3] = $4 }
    $1 == "end" && start[$2, $3] ~ /^0*$/ && $4 > last { last = $4 }
    END { print last ? last : "0" }' "$tmp/all"
}

same ()
{
  cmp -s "$1" "$2" || { echo "$file: < ours, > $3"; diff "$1" "$2" | head -n 10; return 1; }
}

status=0
if test "$LLVM"
then
  grep '^file' "$tmp/all" >"$tmp/ours"
  from_llvm >"$tmp/llvm"
  grep '^file' "$tmp/llvm" >"$tmp/theirs"
  same "$tmp/ours" "$tmp/theirs" "llvm-dwarfdump's files" || status=1
  grep '^row' "$tmp/all" | ordered >"$tmp/ours"
  grep '^row' "$tmp/llvm" | ordered >"$tmp/theirs"
  test -s "$tmp/theirs" || { echo "$file: llvm-dwarfdump shows no rows"; status=1; }
  same "$tmp/ours" "$tmp/theirs" "llvm-dwarfdump's rows" || status=1
  grep '^end' "$tmp/all" >"$tmp/ours"
  grep '^end' "$tmp/llvm" >"$tmp/theirs"
  same "$tmp/ours" "$tmp/theirs" "llvm-dwarfdump's ends" || status=1
fi
if test "$EU"
then
  dead=$(dead_end)
  awk '$1 == "row" { print $4, $5, $7 }' "$tmp/all" \
    | awk -v dead="$dead" '$1 "" > dead ""' | sort -u >"$tmp/ours"
  # It leaves out most rows at the end of their sequence: no instruction is there.
  awk 'NR == FNR { if ($1 == "end") end[$2, $3] = $4; next }
       $1 == "row" && $4 != end[$2, $3] { print $4, $5, $7 }' \
    "$tmp/all" "$tmp/all" | awk -v dead="$dead" '$1 "" > dead ""' | sort -u >"$tmp/needed"
  from_eu | awk -v dead="$dead" '$1 "" > dead ""' | sort -u >"$tmp/theirs"
  missing=$(comm -23 "$tmp/needed" "$tmp/theirs" | head -n 5)
  wrong=$(comm -13 "$tmp/ours" "$tmp/theirs" | head -n 5)
  test -z "$missing" || { echo "$file: eu-readelf does not have:"; echo "$missing"; status=1; }
  test -z "$wrong" || { echo "$file: only eu-readelf has:"; echo "$wrong"; status=1; }
fi
exit $status
