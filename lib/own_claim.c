/* own_claim.c: how a thread gets its block without a tracer.

   The slot is a word of thread-local storage, 0 in a new thread.  A thread can come
   to a probe with an empty slot at a function's entry only: whoever was inside
   one when it was patched got a block then.  So the entry thunk alone looks, and
   calls us.

   A signal handler may come in anywhere and enter profiled functions itself: it
   finds the list locked by its own thread, and counts in everybody's block for once.

   Threads that end give their block back through a key's destructor.  Keys below
   KEYS need no memory; should a process have that many, blocks of dead
   threads stay in use until none is left.  */

#include "own_claim.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "range.h"
#include "wire/events.h"

enum { KEYS = 32, EVERYBODYS = 0, NOBODYS = 1, ALIVE = 1 };

static __thread uint64_t slot __attribute__ ((tls_model ("initial-exec")));
static lp_pool *pool;
static pthread_key_t key;
static bool have_key;
static pid_t owner_pid;
static bool everyone;
static size_t on;		/* threads that are; changed atomically */
static __thread uint64_t mine;	/* the thread's block, in its slot while it is on; 0: none yet */
static __thread unsigned depth;	/* how often it was turned on */
static int locked;

/* Nothing here may touch vector registers.  */
#pragma GCC push_options
#pragma GCC target ("general-regs-only")

static lp_block *
block_at (size_t i)
{
  return (lp_block *) (pool->local + i * pool->stride);
}

/* A block's number off the list, or EVERYBODYS.  Those of threads that ended are
   used again: sums stay.  */
static size_t
take (void)
{
  lp_owners *owners = &pool->owners;
  if (__atomic_exchange_n (&locked, 1, __ATOMIC_ACQUIRE))
    return EVERYBODYS;
  size_t i = owners->anybodys;
  if (i)
    owners->anybodys = owners->v[i].next;
  else if (owners->nused < owners->n)
    i = owners->nused++;
  else
    pool->refused++;
  if (i)
    {
      owners->v[i].pid = owner_pid;
      owners->v[i].tid = ALIVE;
    }
  __atomic_store_n (&locked, 0, __ATOMIC_RELEASE);
  return i;
}

/* A block for this thread, which becomes its slot's; EVERYBODYS when there is none.  */
static uint64_t
claim (void)
{
  size_t i = take ();
  lp_block *block = block_at (i);
  if (i == EVERYBODYS)
    return (uintptr_t) block;
  mine = (uintptr_t) block;
  lp_event_begin (block, __builtin_ia32_rdtsc (), pool->entry_cost,
		  pool->exit_cost);
  slot = (uintptr_t) block;
  if (have_key)
    pthread_setspecific (key, block);
  return slot;
}

uint64_t
lp_own_claim (void)
{
  if (everyone || depth)
    return claim ();
  slot = (uintptr_t) block_at (NOBODYS);
  return slot;
}

#pragma GCC pop_options

/* The thread that has BLOCK ends.  Destructors of the program's may still enter
   profiled functions: then it gets another.  */
static void
give_back (void *block)
{
  size_t i = ((uint8_t *) block - pool->local) / pool->stride;
  if (depth)
    __atomic_fetch_sub (&on, 1, __ATOMIC_RELAXED);
  slot = mine = depth = 0;
  lp_event_end (block, __builtin_ia32_rdtsc ());
  while (__atomic_exchange_n (&locked, 1, __ATOMIC_ACQUIRE))
    ;
  pool->owners.v[i].tid = 0;
  pool->owners.v[i].next = pool->owners.anybodys;
  pool->owners.anybodys = i;
  __atomic_store_n (&locked, 0, __ATOMIC_RELEASE);
}

int32_t
lp_own_slot_offset (void)
{
  /* Volatile: as in probe/calibrate.c.  */
  volatile uintptr_t address = (uintptr_t) &slot;
  return address - (uintptr_t) __builtin_thread_pointer ();
}

void
lp_own_claims_begin (lp_pool *blocks, bool all)
{
  pool = blocks;
  everyone = all;
  owner_pid = getpid ();
  /* Who finds no block of its own may count there, and asks again next time.  */
  block_at (EVERYBODYS)->outside[4] = 1;
  have_key = pthread_key_create (&key, give_back) == 0 && key < KEYS;
  lp_own_claim ();
}

void
lp_own_claims_end (void)
{
  if (have_key)
    pthread_key_delete (key);
  have_key = false;
  slot = mine = depth = 0;
  on = 0;
}

bool
lp_own_on (void)
{
  if (depth++ > 0)
    return true;
  if (!mine && (slot = claim ()) == (uintptr_t) block_at (EVERYBODYS))
    {
      depth = 0;
      return false;
    }
  lp_event_begin ((lp_block *) mine, __builtin_ia32_rdtsc (),
		  pool->entry_cost, pool->exit_cost);
  slot = mine;
  lp_range_thread_on ();
  __atomic_fetch_add (&on, 1, __ATOMIC_RELAXED);
  return true;
}

/* What is open ends here.  */
bool
lp_own_off (void)
{
  if (depth == 0)
    return false;
  if (--depth > 0)
    return true;
  lp_range_thread_off ();
  slot = (uintptr_t) block_at (NOBODYS);
  lp_event_end ((lp_block *) mine, __builtin_ia32_rdtsc ());
  __atomic_fetch_sub (&on, 1, __ATOMIC_RELAXED);
  return true;
}

bool
lp_own_clear (void)
{
  uint32_t first = lp_pool_first_cell ();
  unsigned was = depth;
  if (__atomic_load_n (&on, __ATOMIC_RELAXED) != (depth > 0))
    return false;
  for (depth = was ? 1 : 0; depth;)
    lp_own_off ();
  lp_range_clear ();
  for (size_t i = 0; i < pool->owners.nused; i++)
    memset ((char *) block_at (i) + first, 0, pool->size - first);
  if (was)
    lp_own_on ();
  depth = was;
  return true;
}
