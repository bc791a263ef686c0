#!/bin/sh
# many.sh KIND: C programs with a great number of functions, on standard output.
#   functions   10,000 of them, each called once
#   tree        39 that make a call tree of a million nodes: of the two of each level,
#               each calls both of the next

case $1 in
  functions)
    awk 'BEGIN {
      print "#define OWN __attribute__ ((noipa)) static"
      for (i = 0; i < 10000; i++)
	printf "OWN int f%d (int n)\n{\n  if (n %% 7 == %d)\n    n += %d;\n  return n;\n}\n", i, i % 7, i
      print "int main (void)\n{\n  int n = 0;"
      for (i = 0; i < 10000; i++)
	printf "  n = f%d (n);\n", i
      print "  return n == 0;\n}"
    }' ;;
  tree)
    awk 'BEGIN {
      print "#define OWN __attribute__ ((noipa)) static"
      print "volatile int n;\nOWN void a19 (void) { n++; }\nOWN void b19 (void) { n++; }"
      for (i = 18; i > 0; i--)
	for (k = 0; k < 2; k++)
	  printf "OWN void %s%d (void) { a%d (); b%d (); n++; }\n", k ? "b" : "a", i, i + 1, i + 1
      print "int main (void) { a1 (); b1 (); return n == 0; }"
    }' ;;
esac
