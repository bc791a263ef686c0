/* pool_own.c: the blocks of a process that profiles itself.  Memory of its own, so
   that a fork gets a copy and disturbs nobody.  */

#include "collect/pool.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <x86intrin.h>

#include "wire/events.h"

enum { PAGE = 4096, MOST_BLOCKS = 4096, FEWEST_BLOCKS = 16, FIRST = 2 };

/* Valgrind reads all that is mapped when it looks for leaks, gigabytes here.  */
static size_t
most_blocks (void)
{
  return lp_under_valgrind () ? MOST_BLOCKS / 64 : MOST_BLOCKS;
}

/* Those that are no thread's: without frames, as in pool.c.  */
static void
begin_shared (lp_pool *pool)
{
  for (size_t i = 0; i < FIRST; i++)
    {
      lp_block *block = (lp_block *) (pool->local + i * pool->stride);
      lp_event_begin (block, __rdtsc (), pool->entry_cost, pool->exit_cost);
      lp_event_share (block);
    }
}

/* Memory that was kept.  */
static struct
{
  void *blocks;
  size_t size;
} kept;

void
lp_pool_keep_own (lp_pool *pool)
{
  kept.blocks = pool->local;
  kept.size = pool->nblocks * pool->stride;
  madvise (kept.blocks, kept.size, MADV_DONTNEED);
  pool->local = NULL;
}

/* Memory for as many of POOL's blocks as there can be; their number becomes its.  */
static void *
map_blocks (lp_pool *pool)
{
  void *blocks = MAP_FAILED;
  if (kept.blocks && kept.size >= most_blocks () * pool->stride)
    {
      blocks = kept.blocks;
      pool->nblocks = kept.size / pool->stride;
      kept.blocks = NULL;
    }
  for (size_t n = most_blocks (); blocks == MAP_FAILED && n >= FEWEST_BLOCKS; n /= 4)
    blocks = mmap (NULL, (pool->nblocks = n) * pool->stride,
		   PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return blocks;
}

int
lp_pool_map_own (lp_pool *pool, uint32_t room, lp_error *err)
{
  pool->size = lp_pool_first_cell ();
  pool->stride = (room + (size_t) PAGE - 1) / PAGE * PAGE;
  pool->fd = -1;
  void *blocks = map_blocks (pool);
  if (blocks == MAP_FAILED)
    return lp_fail (err, LP_ENOMEM, "no memory for %zu bytes of counters: %m "
		    "(ulimit -v?)", FEWEST_BLOCKS * pool->stride);
  madvise (blocks, pool->nblocks * pool->stride, MADV_DONTDUMP);
  pool->local = blocks;
  pool->remote = (uintptr_t) blocks;
  begin_shared (pool);
  ((lp_depot *) (pool->local + LP_DEPOT))->main = getauxval (AT_EXECFN);
  return lp_owners_init (&pool->owners, pool->nblocks, FIRST, err);
}
