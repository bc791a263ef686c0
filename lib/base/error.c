/* error.c: filling an lp_error.  */

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread unsigned long nomems __attribute__ ((tls_model ("initial-exec")));

static void
fill (lp_error *err, enum lp_code code, const char *format, va_list ap)
{
  nomems += code == LP_ENOMEM;
  if (!err)
    return;
  err->code = code;
  vsnprintf (err->text, sizeof err->text, format, ap);
  err->text[strcspn (err->text, "\n")] = '\0';
}

int
lp_fail (lp_error *err, enum lp_code code, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fill (err, code, format, ap);
  va_end (ap);
  return -1;
}

void *
lp_fail_null (lp_error *err, enum lp_code code, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fill (err, code, format, ap);
  va_end (ap);
  return NULL;
}

int
lp_nomem (lp_error *err)
{
  return lp_fail (err, LP_ENOMEM, "out of memory");
}

unsigned long
lp_nomems (void)
{
  return nomems;
}
