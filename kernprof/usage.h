/* usage.h: words of the command line as values, and what is said where they are
   none.  Each function returns only where the word is what it should be; else it
   prints one line on stderr and exits with status 2.  */

#ifndef KERNPROF_USAGE_H
#define KERNPROF_USAGE_H

#include <stdio.h>

#include "tool.h"

/* The message and a pointer to --help.  */
void usage_error (const char *format, ...)
  __attribute__ ((noreturn, format (printf, 1, 2)));

void usage_out_of_memory (void) __attribute__ ((noreturn));

/* getopt returned C, ':' or '?', for a command with those LETTERS.  */
void usage_bad_option (int c, char **argv, const char *letters)
  __attribute__ ((noreturn));

/* Let PRINT write on stdout, and exit: with 0 if that could be written.  */
void usage_print_and_exit (void (*print) (FILE *out)) __attribute__ ((noreturn));

/* ARG, which is FROM=TO, as a map; ARG is cut in two and belongs to it.  */
lp_source_map usage_source_map (char *arg);

/* ARG's place among the N WORDS.  */
int usage_choice (const char *option, const char *arg,
		  const char *const *words, int n);

/* ARG as a whole number from LEAST to 1e9.  */
int usage_whole_number (const char *option, const char *arg, long least);

/* ARG as a time above 0.  */
double usage_seconds (const char *option, const char *arg);

#endif
