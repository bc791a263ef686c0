/* api.c: the public entry points of <lineprof.h>.  */

#include <config.h>

#include <lineprof.h>

const char *
lp_version (void)
{
  return PACKAGE_VERSION;
}
