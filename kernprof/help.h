/* help.h: what --help and --version print.  */

#ifndef KERNPROF_HELP_H
#define KERNPROF_HELP_H

#include <stdio.h>

void help_print (FILE *out);
void help_version (FILE *out);

#endif
