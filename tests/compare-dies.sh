#!/bin/sh
# compare-dies.sh FILE: are FILE's DIEs what eu-readelf says?  Prints the first
# differences and exits with 1 when not.  $DUMP is the program dump_dwarf.

export LC_ALL=C
: "${DUMP:=./dump_dwarf}"
command -v eu-readelf >/dev/null || exit 77
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$DUMP" dies "$1" >"$tmp/ours" || exit 1

# Only compilation units: those of types are no functions'.
eu-readelf --debug-dump=info "$1" 2>/dev/null | awk '
  function flush_die() {
    if (offset != "" && wanted) print offset, depth, tag, name, origin, from
    offset = ""
  }
  /^ (Compilation|Type) unit at / { flush_die(); wanted = /^ Compilation/; next }
  /^ Unit type: / { wanted = /compile|skeleton/; next }
  match($0, /^ \[ *[0-9a-f]+\] +[^ ]+ +abbrev: /) { flush_die()
    offset = substr($0, 3); sub(/\].*/, "", offset); sub(/^ */, "", offset)
    rest = substr($0, index($0, "]") + 1); match(rest, /^ */); depth = RLENGTH / 2 - 1
    split(rest, word); tag = word[1]; name = "-"; origin = from = 0
    if (tag !~ /^(subprogram|inlined_subroutine|lexical_block|namespace|structure_type)$/)
      tag = "-"
    next }
  /^ +name +\((strp|string)\) / { name = $0
    sub(/^ +name +\([a-z]+\) "/, "", name); sub(/"$/, "", name) }
  /^ +(abstract_origin|specification) +\(ref[0-9u]/ { to = $0
    sub(/.*\[ */, "", to); sub(/\].*/, "", to)
    if (/abstract_origin/) origin = to; else from = to }
  END { flush_die() }' >"$tmp/theirs"
diff "$tmp/ours" "$tmp/theirs" >"$tmp/difference" && test -s "$tmp/ours" && exit 0
head -8 "$tmp/difference"
exit 1
