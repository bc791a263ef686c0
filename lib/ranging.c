/* ranging.c: an area for the named ranges of a program.  */

#define _GNU_SOURCE

#include "ranging.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "debug/rangenote.h"

static int
hook_of (const lp_module *mod, uint64_t bias, uint64_t *hook)
{
  if (lp_module_range_hook (mod, LP_RANGE_SECTION, LP_RANGE_NOTE, hook))
    return -1;
  *hook += bias;
  return 0;
}

/* The same for the library, where it is an object of its own.  */
static int
hook_of_library (const lp_loaded *modules, size_t n, uint64_t *hook)
{
  for (size_t i = 1; i < n; i++)
    {
      if (strncmp (basename (modules[i].path), "liblineprof.so", 14) != 0)
	continue;
      lp_module *mod = lp_module_open (modules[i].path, NULL);
      int bad = !mod || hook_of (mod, modules[i].bias, hook);
      if (mod)
	lp_module_close (mod);
      return bad;
    }
  return -1;
}

static int
map (lp_ranging *ranging, lp_process *proc, pid_t tid, uint64_t *remote,
     lp_error *err)
{
  void *local;
  for (size_t n = LP_RANGES_BLOCKS; n >= LP_RANGES_FEWEST; n /= 2)
    if (lp_map_shared (proc, tid, lp_ranges_size (n), 0, PROT_READ | PROT_WRITE,
		       &local, remote, NULL, err) == 0)
      {
	ranging->area = local;
	ranging->nblocks = n;
	lp_ranges_init (ranging->area, n);
	return 0;
      }
  return -1;
}

/* Write HOOK to PROC; the flag behind it comes last, or first where nobody records any
   more.  */
static int
write_hook (lp_process *proc, uint64_t addr, const lp_range_hook *hook,
	    lp_error *err)
{
  int on = hook->area != 0;
  return (!on && lp_process_write (proc, hook->on, &on, sizeof on, err))
	 || lp_process_write (proc, addr, hook, sizeof *hook, err)
	 || (on && lp_process_write (proc, hook->on, &on, sizeof on, err))
	 ? -1 : 0;
}

static int
begin (lp_ranging *ranging, lp_process *proc, pid_t tid, const lp_pool *pool,
       int32_t slot, bool by_thread, lp_error *err)
{
  lp_range_hook hook;
  uint64_t remote;
  if (lp_process_read (proc, ranging->hook, &hook, sizeof hook, err))
    return -1;
  if (hook.version != LP_RANGES_VERSION)
    return lp_fail (err, LP_EUNSUPPORTED, "its liblineprof is of another version");
  if (hook.area)
    return lp_fail (err, LP_EUNSUPPORTED, "it records them itself");
  if (map (ranging, proc, tid, &remote, err))
    return -1;
  ranging->area->keep = by_thread;
  if (slot)
    lp_ranges_use_counters (ranging->area, pool, slot);
  hook.area = remote;
  hook.epoch++;
  return write_hook (proc, ranging->hook, &hook, err);
}

void
lp_ranging_begin (lp_ranging *ranging, lp_process *proc, pid_t tid,
		  const lp_module *mod, const lp_loaded *modules, size_t n,
		  const lp_pool *pool, int32_t slot, bool by_thread)
{
  lp_error err = { 0 };
  *ranging = (lp_ranging) { .area = NULL };
  if (!n || (hook_of (mod, modules[0].bias, &ranging->hook)
	     && hook_of_library (modules, n, &ranging->hook)))
    return;
  if (begin (ranging, proc, tid, pool, slot, by_thread, &err))
    snprintf (ranging->why, sizeof ranging->why, "%.150s", err.text);
}

void
lp_ranging_stop (const lp_ranging *ranging, lp_process *proc)
{
  lp_range_hook hook;
  if (!ranging->area
      || lp_process_read (proc, ranging->hook, &hook, sizeof hook, NULL))
    return;
  hook.area = 0;
  hook.epoch++;
  write_hook (proc, ranging->hook, &hook, NULL);
}

void
lp_ranging_free (lp_ranging *ranging)
{
  if (ranging->area)
    munmap (ranging->area, lp_ranges_size (ranging->nblocks));
  *ranging = (lp_ranging) { .area = NULL };
}
