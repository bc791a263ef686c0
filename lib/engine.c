/* engine.c: the engine as an object of its own.  */

#include <config.h>

#include "engine.h"

#include "auto.h"
#include "bound.h"

const lp_host *lp_the_host;

static int
begin (const lp_host *host, void *object, lp_error *err)
{
  __atomic_store_n (&lp_the_host, host, __ATOMIC_RELEASE);
  return lp_bound_begin (object, err);
}

#define NAME(result, name, parameters, arguments, other) .name = name,

extern const lp_engine lp_the_engine;
const lp_engine lp_the_engine = {
  .version = PACKAGE_VERSION,
  .layout = LP_ENGINE_LAYOUT,
  .begin = begin,
  .auto_begin = lp_auto_begin,
  LP_ENGINE_FUNCTIONS (NAME, NAME, NAME)
};
