/* vec.h: growable arrays.

   A vector is any struct with members `v` (pointer to elements), `n` (number
   in use) and `cap` (number allocated); all zero is the empty vector.  */

#ifndef LP_BASE_VEC_H
#define LP_BASE_VEC_H

#include <stddef.h>

/* Declares the vector type of T.  */
#define LP_VEC(T) struct { T *v; size_t n, cap; }

/* Make room for MORE further elements.  0, or -1 when out of memory, the
   vector unchanged then.  */
#define lp_vec_reserve(vec, more)					\
  lp_vec_grow ((void **) &(vec)->v, &(vec)->cap, (vec)->n, (more),	\
	       sizeof *(vec)->v)

/* Append ITEM.  0, or -1 when out of memory.  */
#define lp_vec_push(vec, ...)						\
  ((vec)->n == (vec)->cap && lp_vec_reserve (vec, 1) ? -1		\
   : ((vec)->v[(vec)->n++] = (__VA_ARGS__), 0))

/* Release the elements' storage and make the vector empty.  */
#define lp_vec_free(vec)						\
  (lp_vec_release ((void **) &(vec)->v), (vec)->n = (vec)->cap = 0)

int lp_vec_grow (void **v, size_t *cap, size_t n, size_t more, size_t size);
void lp_vec_release (void **v);

#endif
