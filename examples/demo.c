/* demo.c: a little of everything that takes time: a sieve, words counted in a
   hash table, a recursion, and a line that sleeps.

     kernprof -l -v examples/demo
     kernprof -l -v -f count_words examples/demo  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Small functions of one file are inlined at -O2; these stay functions, so that
   each has a table.  */
#define NOINLINE __attribute__ ((noinline))

enum { LIMIT = 200000, BUCKETS = 64, WORDS = 20000 };

struct word
{
  struct word *next;
  int count;
  char text[16];
};

static struct word *table[BUCKETS];

/* Sieve of Eratosthenes: how many primes are below N?  */
static NOINLINE int
count_primes (int n)
{
  char *composite = calloc (n, 1);
  int primes = 0;
  for (int i = 2; i < n; i++)
    {
      if (composite[i])
        continue;
      primes++;
      for (long j = (long) i * i; j < n; j += i)
        composite[j] = 1;
    }
  free (composite);
  return primes;
}

static NOINLINE unsigned
hash (const char *s)
{
  unsigned h = 5381;
  while (*s)
    h = h * 33 + (unsigned char) *s++;
  return h;
}

/* The word's entry, made when it is new.  64 buckets are too few: the line with
   strcmp shows it.  */
static NOINLINE struct word *
look_up (const char *text)
{
  struct word **bucket = &table[hash (text) % BUCKETS];
  for (struct word *w = *bucket; w; w = w->next)
    if (strcmp (w->text, text) == 0)
      return w;
  struct word *w = calloc (1, sizeof *w);
  snprintf (w->text, sizeof w->text, "%s", text);
  w->next = *bucket;
  *bucket = w;
  return w;
}

static NOINLINE int
count_words (int n)
{
  unsigned seed = 42;
  int most = 0;
  for (int i = 0; i < n; i++)
    {
      char text[16];
      seed = seed * 1103515245 + 12345;
      snprintf (text, sizeof text, "word%u", (seed >> 16) % 3000);
      struct word *w = look_up (text);
      if (++w->count > most)
        most = w->count;
    }
  return most;
}

static NOINLINE long
fib (int n)
{
  if (n < 2)
    return n;
  return fib (n - 1) + fib (n - 2);
}

static NOINLINE void
wait_a_little (void)
{
  struct timespec ms = { 0, 20 * 1000 * 1000 };
  nanosleep (&ms, NULL);
}

int
main (void)
{
  printf ("%d primes below %d\n", count_primes (LIMIT), LIMIT);
  printf ("the most frequent word occurs %d times\n", count_words (WORDS));
  wait_a_little ();
  printf ("fib (20) = %ld\n", fib (20));
  return 0;
}
