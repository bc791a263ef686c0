/* everything.c: linked to a program, marks all of its functions.  */

#include <lineprof.h>

PROFILE_FN_NAMED ("*");
