/* names.h: symbols and display names as text.  Pure.  */

#ifndef LP_DEBUG_NAMES_H
#define LP_DEBUG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The length of SYMBOL without the suffixes by which compilers mark copies and
   parts of one source function: .part.N .constprop.N .isra.N .cold ...  */
size_t lp_clone_base (const char *symbol);

/* Does SYMBOL begin as mangled ones do (Itanium C++, Rust)?  */
bool lp_is_mangled (const char *symbol);

/* The display name of SYMBOL, which is mangled (Itanium C++, Rust legacy or
   v0), clone suffixes ignored; to be freed.  NULL when it is not mangled.  */
char *lp_demangle (const char *symbol);

/* The name that PATTERN and the display name DISPLAY are about, tail by tail:
   `f', `C::f', `C<int>::f', `f(int)', `::f' (global scope only).  Template
   arguments, parameters and return type count only where PATTERN has them.  */
bool lp_name_matches (const char *pattern, const char *display);

/* Does the glob PATTERN match DISPLAY: as a whole, without its return type,
   without its parameters, or one of its `::' tails?  */
bool lp_name_globs (const char *pattern, const char *display);

/* DISPLAY without return type, arguments and parameters: `C::f'.  To be freed;
   NULL when out of memory.  */
char *lp_plain_name (const char *display);

/* The last component of DISPLAY without arguments: `f' of `void C<int>::f<3>()'.
   To be freed; NULL when out of memory.  */
char *lp_base_name (const char *display);

#endif
