/* owners.c: each number is in the one chain that says what it is: of a thread, of
   a process that may use it again, of anybody's, or (retired, never used) of
   none.  */

#include "collect/owners.h"

#include <stdlib.h>

int
lp_owners_init (lp_owners *owners, size_t n, size_t first, lp_error *err)
{
  *owners = (lp_owners) { .n = n, .first = first, .nused = first };
  owners->v = calloc (n, sizeof *owners->v);
  if (!owners->v)
    return lp_nomem (err);
  for (size_t i = 0; i < first; i++)
    owners->v[i] = (lp_owner) { .pid = -1, .tid = -1 };
  return 0;
}

void
lp_owners_free (lp_owners *owners)
{
  free (owners->v);
  *owners = (lp_owners) { .v = NULL };
}

static uint32_t *
chain_of (lp_owners *owners, size_t i)
{
  const lp_owner *o = &owners->v[i];
  if (o->pid < 0)
    return NULL;
  if (o->pid == 0)
    return &owners->anybodys;
  return o->tid ? &owners->of_tid[o->tid % LP_OWNER_CHAINS]
	 : &owners->of_pid[o->pid % LP_OWNER_CHAINS];
}

static void
unlink_owner (lp_owners *owners, size_t i)
{
  uint32_t *link = chain_of (owners, i);
  while (link && *link && *link != i)
    link = &owners->v[*link].next;
  if (link && *link)
    *link = owners->v[i].next;
}

/* Number I becomes PID's and TID's.  */
static void
relink (lp_owners *owners, size_t i, pid_t pid, pid_t tid)
{
  unlink_owner (owners, i);
  owners->v[i] = (lp_owner) { .pid = pid, .tid = tid };
  uint32_t *chain = chain_of (owners, i);
  if (!chain)
    return;
  owners->v[i].next = *chain;
  *chain = i;
}

static size_t
find_free (const lp_owners *owners, pid_t pid)
{
  size_t i = owners->of_pid[pid % LP_OWNER_CHAINS];
  while (i && owners->v[i].pid != pid)
    i = owners->v[i].next;
  if (i || owners->anybodys)
    return i ? i : owners->anybodys;
  return owners->nused < owners->n ? owners->nused : 0;
}

size_t
lp_owners_claim_new (lp_owners *owners, pid_t pid, pid_t tid)
{
  size_t i = owners->nused;
  if (i == owners->n)
    return 0;
  owners->v[owners->nused++] = (lp_owner) { .pid = -1, .tid = -1 };
  relink (owners, i, pid, tid);
  return i;
}

size_t
lp_owners_claim (lp_owners *owners, pid_t pid, pid_t tid)
{
  size_t i = find_free (owners, pid);
  if (!i || i == owners->nused)
    return i ? lp_owners_claim_new (owners, pid, tid) : 0;
  relink (owners, i, pid, tid);
  return i;
}

size_t
lp_owners_find (const lp_owners *owners, pid_t tid)
{
  size_t i = owners->of_tid[tid % LP_OWNER_CHAINS];
  while (i && owners->v[i].tid != tid)
    i = owners->v[i].next;
  return i;
}

void
lp_owners_give_back (lp_owners *owners, size_t i)
{
  lp_owner was = owners->v[i];
  relink (owners, i, was.pid, 0);
}

void
lp_owners_give_away (lp_owners *owners, size_t i)
{
  relink (owners, i, 0, 0);
}

void
lp_owners_retire (lp_owners *owners, size_t i)
{
  relink (owners, i, -1, -1);
}
