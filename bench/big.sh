#!/bin/sh
# big.sh FOLDER: a program with about 200 MB of debug information there, FOLDER/big:
# 51 units that each describe the same 27000 types and have 200 functions.  One is
# compiled by itself, 50 are copies of another, so that this takes seconds.

set -eu
mkdir -p "$1"
cd "$1"
test ! -x big || exit 0

awk 'BEGIN {
  for (i = 0; i < 27000; i++)
    {
      printf "struct type_%d { int a_%d; const char *name_%d; ", i, i, i
      if (i) printf "struct type_%d *next_%d, *array_%d; ", i - 1, i, i
      printf "enum { red_%d, green_%d } colour_%d; ", i, i, i
      printf "long (*call_%d) (int first, struct type_%d *second); };\n", i, i
    }
}' >types.h

# unit NAME: 200 functions over the types.
unit ()
{
  awk -v name="$1" 'BEGIN {
    print "#include \"types.h\""
    for (i = 0; i < 200; i++)
      {
	printf "long %s_%d (struct type_%d *t, long n)\n{\n", name, i, i * 50
	print "  long sum = 0;"
	print "  for (long i = 0; i < n; i++)"
	printf "    if (i %% %d)\n      sum += i * t->a_%d;\n", i + 2, i * 50
	print "    else\n      sum ^= n << 3;"
	print "  return sum;\n}\n"
      }
  }' >"$1.c"
  ${CC:-gcc} -g -O1 -fno-eliminate-unused-debug-types -c "$1.c"
}

unit wanted
unit copied
copies=
for n in $(seq 50)
do
  objcopy --prefix-symbols="copy${n}_" copied.o "copy$n.o"
  copies="$copies copy$n.o"
done
cat >main.c <<'END'
#include <stdio.h>
struct type_0 { int a_0; };
long wanted_0 (struct type_0 *, long);

int
main (void)
{
  struct type_0 t = { 3 };
  printf ("%ld\n", wanted_0 (&t, 100));
  return 0;
}
END
${CC:-gcc} -g -O1 -c main.c
# shellcheck disable=SC2086 # a list of files
${CC:-gcc} main.o wanted.o $copies -o big
rm -f ./*.o ./*.c types.h
