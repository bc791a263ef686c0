/* arena.h: storage that is released all at once, and interned strings.  */

#ifndef LP_BASE_ARENA_H
#define LP_BASE_ARENA_H

#include <stddef.h>

typedef struct lp_arena lp_arena;

/* A new arena, or NULL when out of memory.  */
lp_arena *lp_arena_new (void);
void lp_arena_free (lp_arena *arena);

/* Zeroed storage of N bytes, aligned for any type; NULL when out of memory.  */
void *lp_arena_alloc (lp_arena *arena, size_t n);

/* A copy of the N bytes at S with a NUL behind them.  */
char *lp_arena_copy (lp_arena *arena, const char *s, size_t n);

/* The one copy of S in this arena: equal strings give equal pointers.  NULL
   when out of memory.  */
const char *lp_arena_intern (lp_arena *arena, const char *s);

#endif
