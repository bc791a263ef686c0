/* harvest.c: taking call trees out of blocks.  */

#include "harvest.h"

/* The name that block I's tree is shown with.  */
static const char *
name_of (const lp_live *live, const lp_owner *owner)
{
  return owner->name[0] ? owner->name : live->program->name;
}

/* Everybody's block has no thread.  */
static pid_t
tid_of (size_t i, const lp_owner *owner)
{
  return i ? owner->tid : 0;
}

int
lp_harvest_block (lp_live *live, size_t i, pid_t pid, bool alive)
{
  lp_owner owner = live->image.pool.owners.v[i];
  if (i && !owner.name[0] && owner.tid > 0)
    lp_thread_name (owner.pid, owner.tid, owner.name, sizeof owner.name);
  int bad = lp_trees_read (&live->program->trees, &live->image.pool, i, pid,
			   tid_of (i, &owner), name_of (live, &owner));
  lp_pool_drop (&live->image.pool, i, alive);
  return bad;
}

int
lp_harvest_process (lp_live *live, pid_t pid, bool alive)
{
  int bad = 0;
  for (size_t i = 0;
       (i = lp_pool_next (&live->image.pool, i, pid)) != SIZE_MAX; i++)
    bad |= lp_harvest_block (live, i, pid, alive);
  return bad;
}

int
lp_harvest_running (const lp_follow *follow, const lp_program *program,
		    lp_trees *trees)
{
  for (const lp_live *live = follow->live; live; live = live->next)
    for (size_t i = 0; live->program == program
		       && (i = lp_pool_next (&live->image.pool, i, 0)) != SIZE_MAX;
	 i++)
      {
	lp_owner owner = live->image.pool.owners.v[i];
	if (i)
	  lp_thread_name (owner.pid, owner.tid, owner.name, sizeof owner.name);
	if (lp_trees_read (trees, &live->image.pool, i, i ? owner.pid : 0,
			   tid_of (i, &owner), name_of (live, &owner)))
	  return -1;
      }
  return 0;
}
