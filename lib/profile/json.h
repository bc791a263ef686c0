/* json.h: building JSON trees where every step may run out of memory.

   A tree that failed is NULL; each step takes NULLs and hands them on, so that
   only the end result needs a look.  All of them take over what they are
   given.  */

#ifndef LP_PROFILE_JSON_H
#define LP_PROFILE_JSON_H

#include <jansson.h>

/* A string, its bytes kept as format.h says, or null for NULL.  */
json_t *lp_json_text (const char *s);

/* An array of the N strings at V.  */
json_t *lp_json_texts (const char *const *v, size_t n);

/* ARRAY with ITEM at its end.  */
json_t *lp_json_with (json_t *array, json_t *item);

/* Give *OBJECT the member KEY.  */
void lp_json_put (json_t **object, const char *key, json_t *value);

#endif
