/* usage.c: words of the command line as values, and what is said where they are
   none.  */

#include "usage.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kernprof.h"

void
usage_error (const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  fputs ("kernprof: ", stderr);
  vfprintf (stderr, format, ap);
  fputs ("; see kernprof --help\n", stderr);
  va_end (ap);
  exit (STATUS_BAD_INPUT);
}

void
usage_out_of_memory (void)
{
  fputs ("kernprof: out of memory\n", stderr);
  exit (STATUS_BAD_INPUT);
}

void
usage_bad_option (int c, char **argv, const char *letters)
{
  const char *word = argv[optind - 1];
  if (c == ':')
    usage_error ("option '%s' needs an argument", word);
  if (optopt > 0 && optopt < 256 && !strchr (letters, optopt))
    usage_error ("there is no option '-%c'", optopt);
  usage_error ("there is no option '%s'", word);
}

void
usage_print_and_exit (void (*print) (FILE *out))
{
  print (stdout);
  exit (fflush (stdout) || ferror (stdout) ? STATUS_BAD_INPUT : 0);
}

lp_source_map
usage_source_map (char *arg)
{
  char *equals = strchr (arg, '=');
  if (!equals || equals == arg)
    usage_error ("--source-map: '%s' is not FROM=TO", arg);
  *equals = '\0';
  return (lp_source_map) { .from = arg, .to = equals[1] ? equals + 1 : "." };
}

int
usage_choice (const char *option, const char *arg, const char *const *words,
	      int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp (arg, words[i]) == 0)
      return i;
  char list[128] = "";
  for (int i = 0; i < n; i++)
    {
      strcat (list, i ? ", " : "");
      strcat (list, words[i]);
    }
  usage_error ("%s=%s: choose one of %s", option, arg, list);
}

int
usage_whole_number (const char *option, const char *arg, long least)
{
  char *end;
  errno = 0;
  long n = strtol (arg, &end, 10);
  if (errno || end == arg || *end || n < least || n > 1000000000)
    usage_error ("%s: '%s' is not a whole number of %ld or more", option, arg,
		 least);
  return (int) n;
}

double
usage_seconds (const char *option, const char *arg)
{
  char *end;
  double d = strtod (arg, &end);
  if (end == arg || *end || !isfinite (d) || d <= 0)
    usage_error ("%s: '%s' is not a positive number of seconds", option, arg);
  return d;
}
