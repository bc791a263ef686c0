/* scope.c: the order in which the loader looks into a process's objects for a
   symbol: that of its list of them, struct link_map of <link.h>, which debuggers
   read, too.  */

#include "target/internal.h"

#include <string.h>

enum { MOST_OBJECTS = 4096 };

/* The beginning of struct r_debug and of struct link_map.  */
struct debug_head
{
  uint64_t version, map;
};

struct map_head
{
  uint64_t bias, name, dynamic, next;
};

/* The first entry of PROC's list; 0: it has no loader that we know.  */
static uint64_t
first_entry (lp_process *proc)
{
  uint64_t at, base = proc->image.base;
  struct debug_head head;
  if (!base)
    return 0;
  if (lp_remote_symbol (proc, base, "_r_debug", &at)
      && (lp_remote_symbol (proc, base, "_dl_debug_addr", &at)
	  || lp_process_read (proc, at, &at, sizeof at, NULL)))
    return 0;
  return lp_process_read (proc, at, &head, sizeof head, NULL) ? 0 : head.map;
}

/* Exchange module AT and the first one behind it that lies where MAP says.  False
   where none does.  */
static bool
put (lp_loaded *v, size_t n, size_t at, const struct map_head *map)
{
  for (size_t i = at; i < n; i++)
    if (v[i].bias == map->bias && map->dynamic >= v[i].lo
	&& map->dynamic < v[i].hi)
      {
	lp_loaded here = v[at];
	v[at] = v[i];
	v[i] = here;
	return true;
      }
  return false;
}

int
lp_process_scope (lp_process *proc, const lp_loaded **modules, size_t *n,
		  lp_error *err)
{
  struct map_head map;
  size_t total, placed = 0;
  if (lp_process_modules (proc, modules, &total, err))
    return -1;
  uint64_t at = first_entry (proc);
  for (int i = 0; at && i < MOST_OBJECTS && placed < total; i++, at = map.next)
    {
      if (lp_process_read (proc, at, &map, sizeof map, NULL))
	break;
      placed += put (proc->modules.v, total, placed, &map);
    }
  *modules = proc->modules.v;
  *n = placed;
  return 0;
}
