/* rust.h: the spellings that names of Rust functions have.  Pure.

   The two ways of mangling give different names, and Rust's source has others:
   `<a::S as b::Tr>::f', `a::<impl b::Tr for a::S>::f', `<a::P<i32>>::f', `f::<i32>'.  */

#ifndef LP_DEBUG_RUST_H
#define LP_DEBUG_RUST_H

#include <stdbool.h>
#include <stddef.h>

#include "debug/nameparts.h"

/* Is SYMBOL, of N bytes, one of Rust's?  */
bool lp_rust_is_symbol (const char *symbol, size_t n);

/* NAME in one spelling: arguments without `::' before them, types without <> around
   them, and implementations of traits as `<a::S as b::Tr>::f'.  To be freed; NULL when
   out of memory.  */
char *lp_rust_canonical (const char *name);

/* DEMANGLED with what legacy symbols leave out and DIE_NAME has: the arguments of
   generics, the numbers of closures.  To be freed; NULL when nothing is left out, or out
   of memory.  */
char *lp_rust_complete (const char *demangled, const char *die_name);

/* Has NAME a spelling that only Rust has?  */
bool lp_rust_is_spelling (const char *name);

/* The paths by which NAME is known: a method of a trait is that of its type and that of
   its trait.  Returns how many were put into PATHS, 0 when out of memory.  */
enum { LP_RUST_PATHS = 8 };
size_t lp_rust_paths (const char *name, char *paths[LP_RUST_PATHS]);
void lp_rust_free (char **paths, size_t n);

/* Is PATTERN a closure of any number, `{closure}' or `{{closure}}', and NAME one?  */
bool lp_rust_same_closure (lp_span pattern, lp_span name);

#endif
