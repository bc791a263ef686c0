/* tally.c: sums, packed and unpacked.  */

#include "collect/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
lp_tallies_init (lp_tallies *tallies, size_t ncells, lp_error *err)
{
  *tallies = (lp_tallies) { .ncells = ncells,
			    .cells = calloc (ncells, sizeof (uint64_t)),
			    .open = calloc (ncells, 1) };
  if (tallies->cells && tallies->open)
    return 0;
  lp_tallies_free (tallies);
  return lp_nomem (err);
}

int
lp_tallies_grow (lp_tallies *tallies, size_t ncells, lp_error *err)
{
  if (ncells <= tallies->ncells)
    return 0;
  uint64_t *cells = calloc (ncells, sizeof *cells);
  uint8_t *open = calloc (ncells, 1);
  if (!cells || !open)
    {
      free (cells);
      free (open);
      return lp_nomem (err);
    }
  free (tallies->cells);
  free (tallies->open);
  tallies->cells = cells;
  tallies->open = open;
  tallies->ncells = ncells;
  return 0;
}

void
lp_tallies_free (lp_tallies *tallies)
{
  for (size_t i = 0; i < tallies->list.n; i++)
    lp_vec_free (&tallies->list.v[i].cells);
  lp_vec_free (&tallies->list);
  free (tallies->cells);
  free (tallies->open);
  *tallies = (lp_tallies) { .ncells = 0 };
}

void
lp_tallies_clear (lp_tallies *tallies)
{
  memset (tallies->cells, 0, tallies->ncells * sizeof *tallies->cells);
  memset (tallies->open, 0, tallies->ncells);
}

void
lp_tallies_load (lp_tallies *tallies, size_t i)
{
  const lp_tally *t = &tallies->list.v[i];
  for (size_t k = 0; k < t->cells.n; k++)
    {
      tallies->cells[t->cells.v[k].word] += t->cells.v[k].value;
      tallies->open[t->cells.v[k].word] |= t->cells.v[k].open;
    }
}

/* The index of that tally, SIZE_MAX without one.  */
static size_t
find (const lp_tallies *tallies, pid_t pid, pid_t tid, const char *name)
{
  for (size_t i = tallies->list.n; i-- > 0;)
    {
      const lp_tally *t = &tallies->list.v[i];
      if (t->pid == pid && t->tid == tid && strcmp (t->name, name) == 0)
	return i;
    }
  return SIZE_MAX;
}

static bool
is_empty (const lp_tallies *tallies, size_t k)
{
  return !tallies->cells[k] && !tallies->open[k];
}

/* How many words of the dense arrays count.  */
static size_t
count (const lp_tallies *tallies)
{
  size_t n = 0;
  for (size_t k = 0; k < tallies->ncells; k++)
    n += !is_empty (tallies, k);
  return n;
}

/* Append to T what the dense arrays hold.  */
static int
pack (const lp_tallies *tallies, lp_tally *t)
{
  if (lp_vec_reserve (&t->cells, count (tallies)))
    return -1;
  for (size_t k = 0; k < tallies->ncells; k++)
    if (!is_empty (tallies, k))
      t->cells.v[t->cells.n++] = (lp_tally_cell) {
	.value = tallies->cells[k], .word = k, .open = tallies->open[k] };
  return 0;
}

int
lp_tallies_keep (lp_tallies *tallies, pid_t pid, pid_t tid, const char *name)
{
  lp_tally fresh = { .pid = pid, .tid = tid };
  if (count (tallies) == 0)
    return 0;
  snprintf (fresh.name, sizeof fresh.name, "%s", name);
  size_t i = find (tallies, pid, tid, fresh.name);
  if (i != SIZE_MAX)
    {
      lp_tallies_load (tallies, i);
      tallies->list.v[i].cells.n = 0;
    }
  else if (lp_vec_push (&tallies->list, fresh) == 0)
    i = tallies->list.n - 1;
  int bad = i == SIZE_MAX || pack (tallies, &tallies->list.v[i]);
  lp_tallies_clear (tallies);
  return bad ? -1 : 0;
}

int
lp_tallies_copy (lp_tallies *to, const lp_tallies *from, lp_error *err)
{
  if (lp_tallies_init (to, from->ncells, err))
    return -1;
  for (size_t i = 0; i < from->list.n; i++)
    {
      const lp_tally *t = &from->list.v[i];
      lp_tally copy = { .pid = t->pid, .tid = t->tid };
      memcpy (copy.name, t->name, sizeof copy.name);
      if (lp_vec_reserve (&copy.cells, t->cells.n)
	  || lp_vec_push (&to->list, copy))
	{
	  lp_vec_free (&copy.cells);
	  lp_tallies_free (to);
	  return lp_nomem (err);
	}
      if (t->cells.n)
	memcpy (copy.cells.v, t->cells.v, t->cells.n * sizeof *t->cells.v);
      to->list.v[i].cells.n = t->cells.n;
    }
  return 0;
}
