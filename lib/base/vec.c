/* vec.c: growable arrays.  */

#include "base/vec.h"
#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>

int
lp_vec_grow (void **v, size_t *cap, size_t n, size_t more, size_t size)
{
  if (more <= *cap - n)
    return 0;
  if (more > SIZE_MAX / size / 2 - n)
    return lp_nomem (NULL);
  size_t want = n + more;
  size_t next = *cap ? *cap * 2 : 8;
  while (next < want)
    next *= 2;
  void *grown = realloc (*v, next * size);
  if (!grown)
    return lp_nomem (NULL);
  *v = grown;
  *cap = next;
  return 0;
}

void
lp_vec_release (void **v)
{
  free (*v);
  *v = NULL;
}
