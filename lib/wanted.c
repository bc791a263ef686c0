/* wanted.c: what LINE_PROFILE says, when the library is loaded.

   Not of a program that runs with more rights than its caller has: it would write files
   with them.  */

#include "auto.h"

#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

int
lp_auto_wanted (const char *value)
{
  static const char *const off[] = { "", "0", "off", "no", "n", "f", "false" };
  for (size_t i = 0; value && i < sizeof off / sizeof *off; i++)
    if (strcasecmp (value, off[i]) == 0)
      return 0;
  return value != NULL;
}

/* A program's own constructors, which come later, are profiled, too.  */
__attribute__ ((constructor)) static void
begin (void)
{
  if (lp_auto_wanted (secure_getenv ("LINE_PROFILE")))
    lp_auto_begin ();
}
