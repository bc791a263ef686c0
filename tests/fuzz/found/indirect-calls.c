/* Calls of two bytes, one behind the other, each on a line of its own: there is no
   room for jumps between them, and none for islands.  */

static int n;

static void
bump (void)
{
  n++;
}

__attribute__ ((noinline))
static void
many (void (*volatile *p) (void))
{
  void (*f) (void) = *p;
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
  f ();
}

int
main (void)
{
  void (*volatile f) (void) = bump;
  many (&f);
  return n;
}
