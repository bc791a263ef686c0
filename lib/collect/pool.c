/* pool.c: claim, retire and read blocks.  */

#define _GNU_SOURCE

#include "collect/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "collect/sane.h"
#include "wire/calls.h"
#include "wire/events.h"

enum { PAGE = 4096, MOST_BLOCKS = 4096, FEWEST_BLOCKS = 4 };

/* A confined process cannot be made to open more: it has to have some.  */
enum { OPEN_BYTES = 1 << 26, MOST_OPEN = 64, FEWEST_OPEN = 8 };

/* Blocks that are no thread's.  */
enum { EVERYBODYS, NOBODYS, FIRST };

uint32_t
lp_pool_first_cell (void)
{
  uint32_t end = LP_FRAMES + LP_MAX_FRAMES * LP_FRAME_SIZE;
  return (end + PAGE - 1) / PAGE * PAGE;
}

static lp_block *
block_at (const lp_pool *pool, size_t i)
{
  return (lp_block *) (pool->local + i * pool->stride);
}

/* Begin block I, of a thread of process PID.  */
static void
begin (const lp_pool *pool, size_t i, pid_t pid)
{
  lp_block *block = block_at (pool, i);
  lp_event_begin (block, __rdtsc (), pool->entry_cost, pool->exit_cost);
  if (pool->tree)
    lp_tree_begin (block, lp_pool_first_cell (), pool->size);
  block->inlined_cost = pool->inlined_cost;
  block->depot = i * pool->stride;
  block->process = pid;
}

/* Let the file have block I.  */
static int
file_block (lp_pool *pool, size_t i, lp_error *err)
{
  if (i < pool->filed)
    return 0;
  if (ftruncate (pool->fd, (off_t) ((i + 1) * pool->stride)))
    return lp_fail (err, LP_ETARGET, "cannot share %zu bytes with the program:"
		    " %s (ulimit -f?)", (i + 1) * pool->stride,
		    strerror (errno));
  pool->filed = i + 1;
  return 0;
}

/* Let PROC have block I, with those before it.  */
static int
open_block (lp_pool *pool, lp_process *proc, pid_t tid, size_t i,
	    lp_error *err)
{
  size_t step = i / pool->step, end = (step + 1) * pool->step;
  end = end < pool->nblocks ? end : pool->nblocks;
  pid_t pid = lp_process_pid (proc);
  if (step == 0 || pool->opened[step] == pid)
    return 0;
  if (lp_grow_mapping (proc, tid, pool->remote, end * pool->stride, err))
    return -1;
  for (size_t k = 1; k <= step; k++)
    pool->opened[k] = pid;
  return 0;
}

/* Those that are no thread's.  Many at once may be in these: no frames, which
   would mix.  */
static int
begin_shared (lp_pool *pool, lp_error *err)
{
  if (file_block (pool, FIRST - 1, err))
    return -1;
  for (size_t i = 0; i < FIRST; i++)
    {
      begin (pool, i, 0);
      lp_event_share (block_at (pool, i));
    }
  return 0;
}

static size_t
blocks_at_once (const lp_pool *pool)
{
  size_t n = OPEN_BYTES / pool->stride;
  n = n > MOST_OPEN ? MOST_OPEN : n < FEWEST_OPEN ? FEWEST_OPEN : n;
  return n < pool->nblocks ? n : pool->nblocks;
}

/* As many blocks as can be mapped here (there may be a limit on address
   space).  */
int
lp_pool_map (lp_pool *pool, lp_process *proc, pid_t tid, uint32_t room,
	     lp_error *err)
{
  void *local;
  pool->size = pool->tree ? room : lp_pool_first_cell ();
  pool->stride = (room + (size_t) PAGE - 1) / PAGE * PAGE;
  pool->fd = -1;
  for (pool->nblocks = MOST_BLOCKS;; pool->nblocks /= 4)
    {
      pool->step = blocks_at_once (pool);
      if (lp_map_growing (proc, tid, pool->nblocks * pool->stride,
			  pool->step * pool->stride, &local, &pool->remote,
			  &pool->fd, err) == 0)
	break;
      if (pool->nblocks <= FEWEST_BLOCKS)
	return -1;
    }
  pool->local = local;
  pool->opened = calloc (pool->nblocks / pool->step + 1, sizeof *pool->opened);
  if (!pool->opened)
    return lp_nomem (err);
  if (lp_owners_init (&pool->owners, pool->nblocks, FIRST, err)
      || begin_shared (pool, err))
    return -1;
  ((lp_depot *) (pool->local + LP_DEPOT))->main = lp_process_stack_end (proc);
  return 0;
}

int
lp_pool_extend (lp_pool *pool, uint32_t end)
{
  if (end > pool->stride)
    return -1;
  if (end > pool->size)
    pool->size = end;
  return 0;
}

void
lp_pool_free (lp_pool *pool)
{
  if (pool->local)
    munmap (pool->local, pool->nblocks * pool->stride);
  if (pool->local && pool->fd >= 0)
    close (pool->fd);
  free (pool->opened);
  lp_owners_free (&pool->owners);
  *pool = (lp_pool) { .fd = -1 };
}

void
lp_pool_end (lp_pool *pool)
{
  pool->end = __rdtsc ();
}

int
lp_pool_unmap (lp_pool *pool, lp_process *proc, pid_t tid, lp_error *err)
{
  return lp_unmap_shared (proc, tid, NULL, pool->remote,
			  lp_mapping_size (proc, pool->remote), err);
}

uint64_t
lp_pool_claim (lp_pool *pool, lp_process *proc, pid_t tid)
{
  size_t i = lp_owners_claim (&pool->owners, lp_process_pid (proc), tid);
  if (i && (file_block (pool, i, NULL)
	    || open_block (pool, proc, tid, i, NULL)))
    {
      lp_owners_give_away (&pool->owners, i);
      i = 0;
    }
  if (!i)
    {
      pool->refused++;
      return pool->remote;
    }
  begin (pool, i, lp_process_pid (proc));
  return pool->remote + i * pool->stride;
}

static lp_claim *
claim_of (const lp_pool *pool)
{
  return (lp_claim *) (pool->local + LP_CLAIM);
}

/* What a block begins with: block I, which nobody has yet, is made one and emptied
   again.  */
static void
note_header (const lp_pool *pool, size_t i, lp_claim *claim)
{
  lp_block *block = block_at (pool, i);
  begin (pool, i, 0);
  memcpy (claim->header, block, sizeof claim->header);
  memset (block, 0, sizeof *block);
}

/* So many are always ready.  The others are mapped, but the file ends before them: who
   locks all memory has no pages of theirs.  */
enum { MOST_READY = 1024 };

/* Let there be up to MOST_READY from block NEXT on, as many as are mapped and the
   file may have.  */
static void
make_ready (lp_pool *pool, lp_claim *claim, size_t next)
{
  size_t left = pool->offered - next, n = left < MOST_READY ? left : MOST_READY;
  while (next + n > claim->end && file_block (pool, next + n - 1, NULL))
    n /= 2;
  if (next + n > claim->end)
    __atomic_store_n (&claim->end, next + n, __ATOMIC_RELEASE);
}

void
lp_pool_offer_more (lp_pool *pool)
{
  lp_claim *claim = claim_of (pool);
  uint64_t next = __atomic_load_n (&claim->next, __ATOMIC_RELAXED);
  if (pool->offered && next + MOST_READY / 2 > claim->end
      && next < pool->offered)
    make_ready (pool, claim, next);
}

void
lp_pool_offer (lp_pool *pool, lp_process *proc, pid_t tid, int32_t slot)
{
  lp_claim *claim = claim_of (pool);
  size_t first = pool->owners.nused, n = pool->nblocks - first;
  while (n && (file_block (pool, first, NULL)
	       || open_block (pool, proc, tid, first + n - 1, NULL)))
    n /= 2;
  *claim = (lp_claim) { .next = first, .end = first, .stride = pool->stride,
			.slot = slot };
  pool->offered = first + n;
  if (!n)
    return;
  note_header (pool, first, claim);
  claim->end = first + 1;
  make_ready (pool, claim, first);
}

/* The program can write there: its word is not more than a hint.  */
bool
lp_pool_adopt (lp_pool *pool, pid_t pid)
{
  const lp_claim *claim = claim_of (pool);
  uint64_t next = claim->next, end = claim->end;
  for (size_t n = next < end ? next : end; pool->owners.nused < n;)
    if (!lp_owners_claim_new (&pool->owners, pid, pid))
      break;
  return next < end;
}

lp_owner *
lp_pool_owner (const lp_pool *pool, pid_t tid)
{
  size_t i = lp_owners_find (&pool->owners, tid);
  return i ? &pool->owners.v[i] : NULL;
}

uint64_t
lp_pool_nobody (const lp_pool *pool)
{
  return pool->remote + NOBODYS * pool->stride;
}

void
lp_pool_retire (lp_pool *pool, pid_t tid)
{
  size_t i = lp_owners_find (&pool->owners, tid);
  if (!i)
    return;
  if (lp_is_sane (pool, block_at (pool, i)))
    lp_event_end (block_at (pool, i), __rdtsc ());
  lp_depot_abandon (block_at (pool, i));
  lp_owners_give_back (&pool->owners, i);
}

void
lp_pool_forget (lp_pool *pool, pid_t pid)
{
  enum { OURS = -1 };
  if (!pool->local)
    return;
  lp_depot *depot = (lp_depot *) (pool->local + LP_DEPOT);
  for (size_t i = 0; (i = lp_pool_next (pool, i, pid)) != SIZE_MAX; i++)
    lp_depot_abandon (block_at (pool, i));
  if (!lp_depot_lock (depot, OURS))
    return;
  lp_depot_drop (depot, pid);
  lp_depot_unlock (depot, OURS);
}

lp_block *
lp_pool_find (const lp_pool *pool, pid_t tid)
{
  size_t i = lp_owners_find (&pool->owners, tid);
  size_t host = i ? pool->owners.v[i].host : 0;
  return i ? block_at (pool, host ? host : i) : NULL;
}

/* Note which lines a block that is about to be closed is still in.  */
static void
note_open (lp_block *block, uint8_t *open)
{
  uint32_t first = lp_pool_first_cell ();
  if (block->line >= first)
    open[(block->line - first) / 8] = 1;
  for (uint32_t at = LP_FRAMES + LP_FRAME_SIZE; at <= block->top;
       at += LP_FRAME_SIZE)
    {
      uint32_t line = lp_frame_at (block, at)->caller_line;
      if (line >= first)
	open[(line - first) / 8] = 1;
    }
}

/* The number of the block at run-time address ADDR, or SIZE_MAX.  */
static size_t
number_of (const lp_pool *pool, uint64_t addr)
{
  uint64_t distance = addr - pool->remote, i = distance / pool->stride;
  return distance % pool->stride || i >= pool->owners.nused ? SIZE_MAX : i;
}

void
lp_pool_lend (lp_pool *pool, pid_t tid, uint64_t host)
{
  size_t i = lp_owners_find (&pool->owners, tid), at = number_of (pool, host);
  if (i && at >= FIRST && at != SIZE_MAX)
    pool->owners.v[i].host = at;
}

uint64_t
lp_pool_claim_fork (lp_pool *pool, lp_process *proc, uint64_t parent)
{
  pid_t pid = lp_process_pid (proc);
  /* What was opened to a dead process that had the same number.  */
  for (size_t i = 1; i * pool->step < pool->nblocks; i++)
    if (pool->opened[i] == pid)
      pool->opened[i] = 0;
  uint64_t remote = lp_pool_claim (pool, proc, pid);
  size_t from = number_of (pool, parent);
  lp_block *child = lp_pool_find (pool, pid);
  lp_block *old = from == SIZE_MAX ? NULL : block_at (pool, from);
  if (child && old && pool->tree && lp_is_sane_tree (pool, old))
    lp_tree_fork (child, old);
  else if (child && old && !pool->tree && lp_is_sane (pool, old))
    lp_event_fork (child, old);
  return remote;
}

/* Reading.  */

size_t
lp_pool_next (const lp_pool *pool, size_t from, pid_t pid)
{
  for (size_t i = from; i < pool->owners.nused; i++)
    if (pid ? pool->owners.v[i].pid == pid
	: i == EVERYBODYS || pool->owners.v[i].pid > 0)
      return i;
  return SIZE_MAX;
}

/* Copy a block of SIZE bytes, but for the frames that are not in use: who counts for
   himself has them in memory of his own, where nothing tells which were touched.  */
static void
copy_used (uint8_t *to, const uint8_t *from, uint32_t size)
{
  uint32_t begin = LP_FRAMES + LP_FRAME_SIZE, first = lp_pool_first_cell ();
  memcpy (to, from, begin);
  uint32_t top = ((const lp_block *) to)->top;
  if (top >= begin && top < first)
    memcpy (to + begin, from + begin, top + LP_FRAME_SIZE - begin);
  memcpy (to + first, from + first, size - first);
}

/* A copy of block I.  What the program never touched is not read: that would
   make pages of it.  */
static uint8_t *
copy_block (const lp_pool *pool, size_t i)
{
  off_t start = (off_t) (i * pool->stride), end = start + (off_t) pool->stride;
  uint8_t *copy = calloc (1, pool->stride);
  off_t at = start, hole;
  if (copy && pool->fd < 0)
    copy_used (copy, pool->local + start, pool->size);
  while (copy && pool->fd >= 0 && (at = lseek (pool->fd, at, SEEK_DATA)) >= 0 && at < end)
    {
      hole = lseek (pool->fd, at, SEEK_HOLE);
      hole = hole < 0 || hole > end ? end : hole;
      memcpy (copy + (at - start), pool->local + at, (size_t) (hole - at));
      at = hole;
    }
  return copy;
}

int
lp_pool_peek (const lp_pool *pool, size_t i, uint64_t *sums, uint8_t *open)
{
  uint32_t first = lp_pool_first_cell ();
  lp_block *block = (lp_block *) copy_block (pool, i);
  if (!block)
    return -1;
  if ((i == EVERYBODYS || pool->owners.v[i].tid) && lp_is_sane (pool, block))
    {
      note_open (block, open);
      lp_event_end (block, pool->end ? pool->end : __rdtsc ());
    }
  const uint64_t *cells = (const uint64_t *) ((char *) block + first);
  for (size_t k = 0; k < (pool->size - first) / 8; k++)
    sums[k] += cells[k];
  free (block);
  return 0;
}

const lp_block *
lp_pool_block (const lp_pool *pool, size_t i)
{
  return block_at (pool, i);
}

void
lp_pool_drop (lp_pool *pool, size_t i, bool alive)
{
  if (!alive)
    {
      fallocate (pool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		 i * pool->stride, pool->stride);
      lp_owners_give_away (&pool->owners, i);
    }
  else if (i != EVERYBODYS)
    lp_owners_retire (&pool->owners, i);
}

int
lp_pool_take (lp_pool *pool, size_t i, uint64_t *sums, uint8_t *open)
{
  int bad = lp_pool_peek (pool, i, sums, open);
  lp_pool_drop (pool, i, false);
  return bad;
}

int
lp_pool_leave (lp_pool *pool, size_t i, uint64_t *sums, uint8_t *open)
{
  int bad = lp_pool_peek (pool, i, sums, open);
  lp_pool_drop (pool, i, true);
  return bad;
}
