/* parse.h: a JSON file as a tree, and what it is instead where it is none.  */

#ifndef LP_PROFILE_PARSE_H
#define LP_PROFILE_PARSE_H

#include <jansson.h>

#include "base/error.h"

/* The tree of the JSON file PATH, which should have MARK near its start; to be
   released by json_decref.  NULL with LP_ENOTFOUND, LP_EIO, LP_ENOMEM, or
   LP_EFORMAT for a file that is empty, truncated, corrupt, or something else
   altogether.  */
json_t *lp_json_parse (const char *path, const char *mark, lp_error *err);

#endif
