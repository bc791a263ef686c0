/* graft_find.c: which graft has an address.  */

#include "graft.h"

#include "probe/places.h"
#include "probe/trap.h"

bool
lp_grafts_have (const lp_grafts *grafts, uint64_t lo)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].there && grafts->v[i].graft->lo == lo)
      return true;
  return false;
}

const lp_text *
lp_grafts_text (const lp_grafts *grafts, uint64_t addr)
{
  for (size_t i = 0; i < grafts->n; i++)
    {
      const lp_asm *code = &grafts->v[i].graft->text.code;
      if (addr >= code->base && addr - code->base < code->cap)
	return &grafts->v[i].graft->text;
    }
  return NULL;
}

uint64_t
lp_grafts_original (const lp_grafts *grafts, uint64_t pc)
{
  const lp_text *text = lp_grafts_text (grafts, pc);
  uint64_t home = 0;
  for (size_t i = 0; !text && !home && i < grafts->n; i++)
    if (grafts->v[i].there)
      home = lp_places_home (&grafts->v[i].graft->text, pc);
  if (!text || !lp_places_cover (text, pc))
    return home;
  home = lp_places_home (text, pc);
  return home ? home : LP_BETWEEN;
}

uint64_t
lp_grafts_copy_of (const lp_grafts *grafts, uint64_t pc)
{
  uint64_t copy = 0;
  for (size_t i = 0; i < grafts->n && !copy; i++)
    if (grafts->v[i].there)
      copy = lp_places_clone (&grafts->v[i].graft->text, pc);
  return copy;
}

const lp_trap *
lp_grafts_trap (const lp_grafts *grafts, uint64_t addr, const lp_graft **graft)
{
  const lp_trap *trap = NULL;
  for (size_t i = 0; i < grafts->n && !trap; i++)
    if (grafts->v[i].there)
      {
	*graft = grafts->v[i].graft;
	trap = lp_trap_find (&(*graft)->text, addr);
      }
  return trap;
}

bool
lp_grafts_trap_any (const lp_grafts *grafts)
{
  for (size_t i = 0; i < grafts->n; i++)
    if (grafts->v[i].there && grafts->v[i].graft->text.traps.n)
      return true;
  return false;
}
