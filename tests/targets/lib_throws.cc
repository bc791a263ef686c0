/* lib_throws.cc: exceptions through the frames of a shared object, both ways.
   Built twice: with -DLIBRARY as the object, and as the program that uses it.  */

#include <cstdio>
#include <stdexcept>
#include <string>

void through (int n, void (*f) (int));
int catches (int n, void (*f) (int));

#ifdef LIBRARY
static int ended;

struct guard
{
  std::string name;
  ~guard () { ended++; }
};

void
through (int n, void (*f) (int))	/* HITS 30 */
{
  guard g { "a name that is too long for its place" };
  f (n);				/* HITS 30 */
  ended--;				/* HITS 20 */
}

int
catches (int n, void (*f) (int))	/* HITS 30 */
{
  try
    {
      through (n, f);			/* HITS 30 */
    }
  catch (const std::runtime_error &e)
    {
      return ended + 1000;		/* HITS 5 */
    }
  return ended;				/* HITS 20 */
}

#else
static void
throws (int n)
{
  if (n % 6 == 0)
    throw std::runtime_error ("six");
  if (n % 6 == 3)
    throw n;
}

int
main ()
{
  int sum = 0;
  for (int i = 0; i < 30; i++)
    try
      {
	sum += catches (i, throws);
      }
    catch (int n)
      {
	sum += 7 * n;
      }
  std::printf ("%d\n", sum);
}
#endif
