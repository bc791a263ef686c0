/* json.c: building JSON trees where every step may run out of memory.  */

#include "profile/json.h"

#include <stdlib.h>

#include "profile/format.h"

json_t *
lp_json_text (const char *s)
{
  if (!s)
    return json_null ();
  char *utf8 = lp_bytes_encode (s);
  json_t *value = utf8 ? json_string_nocheck (utf8) : NULL;
  free (utf8);
  return value;
}

json_t *
lp_json_with (json_t *array, json_t *item)
{
  if (!array)
    json_decref (item);
  else if (item && !json_array_append_new (array, item))
    return array;
  json_decref (array);
  return NULL;
}

void
lp_json_put (json_t **object, const char *key, json_t *value)
{
  if (!*object)
    json_decref (value);
  else if (value && !json_object_set_new_nocheck (*object, key, value))
    return;
  json_decref (*object);
  *object = NULL;
}

json_t *
lp_json_texts (const char *const *v, size_t n)
{
  json_t *array = json_array ();
  for (size_t i = 0; i < n; i++)
    array = lp_json_with (array, lp_json_text (v[i]));
  return array;
}
