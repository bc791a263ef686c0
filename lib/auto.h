/* auto.h: LINE_PROFILE=1, a program that profiles itself without a line of code for
   it, as Python's line_profiler does.  */

#ifndef LP_AUTO_H
#define LP_AUTO_H

/* Does VALUE, the variable's or NULL, ask for a profile?  Not: empty, 0, off, no, n,
   f, false.  */
int lp_auto_wanted (const char *value);

/* Profile this process from now on, and report at its end.  What goes wrong is said on
   stderr.  */
void lp_auto_begin (void);

#endif
