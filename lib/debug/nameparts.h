/* nameparts.h: a display name, or a pattern for one, taken apart.  Pure; what it
   returns points into the text.  */

#ifndef LP_DEBUG_NAMEPARTS_H
#define LP_DEBUG_NAMEPARTS_H

#include <stdbool.h>
#include <stddef.h>

/* `int C<int>::f<3>(int) const' has its name from BEGIN to END, and its parameters from
   there to PARAMS_END, which are equal where it has none.  */
typedef struct lp_name_parts
{
  const char *begin, *end, *params_end;
} lp_name_parts;

lp_name_parts lp_name_split (const char *s);

typedef struct lp_span
{
  const char *begin, *end;
} lp_span;

/* What stands between the separators of a name, `::' or, in Ada, D and Pascal, a dot:
   `f<int>(int)[abi:x]' of a function that holds another one.  */
typedef struct lp_component
{
  lp_span name;			/* f, without spaces around */
  lp_span arguments;		/* <int>, or empty */
  lp_span params;		/* (int), or empty */
} lp_component;

enum { LP_COMPONENTS = 64 };

/* The components of [S, END), the last LP_COMPONENTS of them where there are more; returns
   their number.  *ROOTED: it starts with a separator.  */
size_t lp_name_components (const char *s, const char *end,
			   lp_component components[LP_COMPONENTS], bool *rooted);

/* Skip one character, one operator's name or one "operator" of Ada at P, in a name that
   starts at START, keeping DEPTH, the number of open brackets.  */
const char *lp_name_step (const char *start, const char *p, int *depth);

#endif
