/* pointers.c: every kind of datum that points into code; prints what each points
   to as an address of the file.  */

#include <stdint.h>
#include <stdio.h>

extern const char __ehdr_start[];

static int
twice (int n)
{
  return 2 * n;
}

int
thrice (int n)
{
  return 3 * n;
}

static int
resolved_one (void)
{
  return 1;
}

static int (*resolve (void)) (void)
{
  return resolved_one;
}

int chosen (void) __attribute__ ((ifunc ("resolve")));

static int (*const functions[]) (int) = { twice, thrice };
static struct { char tag; int (*function) (int); } mixed = { 1, twice };
static int (*volatile variable) (int) = thrice;

static void
print (const void *p)
{
#ifdef __pie__
  printf ("%016lx\n", (unsigned long) ((uintptr_t) p - (uintptr_t) __ehdr_start));
#else
  printf ("%016lx\n", (unsigned long) (uintptr_t) p);
#endif
}

static int
interpret (const unsigned char *code)
{
  static const void *const labels[] = { &&stop, &&add, &&shift, &&negate };
  int n = 1;
  for (int i = 0; i < 4; i++)
    print (labels[i]);
  goto *labels[*code++];
add:
  n += *code;
  goto *labels[*code++];
shift:
  n <<= 1;
  goto *labels[*code++];
negate:
  n = -n;
  goto *labels[*code++];
stop:
  return n;
}

int
main (int argc, char **argv)
{
  (void) argv;
  const unsigned char code[] = { 1, 2, 3, 0 };
  print ((void *) functions[0]);
  print ((void *) functions[argc]);
  print ((void *) mixed.function);
  print ((void *) variable);
  print ((void *) resolve);
  return interpret (code) + chosen () > 1000;
}
