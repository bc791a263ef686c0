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

#include "host.h"
#include "range.h"
#include "wire/events.h"

enum { KEYS = 32, EVERYBODYS = 0, NOBODYS = 1, ALIVE = 1 };

static lp_pool *pool;
static pthread_key_t key;
static bool have_key;
static pid_t owner_pid;
static bool everyone;
static size_t on;		/* threads that are; changed atomically */
static int locked;
static size_t inside;		/* threads in the code below that uses the pool unasked */

/* Who is in here, or in what this calls, needs the pool and the clones.  */
#define CLAIM_CODE __attribute__ ((noinline, section ("lp_own_text")))
extern const char claim_begin[] __asm__ ("__start_lp_own_text")
  __attribute__ ((visibility ("hidden")));
extern const char claim_end[] __asm__ ("__stop_lp_own_text")
  __attribute__ ((visibility ("hidden")));

/* Nothing here may touch vector registers.  */
#pragma GCC push_options
#pragma GCC target ("general-regs-only")

/* The calling thread's.  */
static lp_own_thread *
own (void)
{
  return &lp_the_host->thread ()->own;
}

static lp_block *
block_at (size_t i)
{
  return (lp_block *) (pool->local + i * pool->stride);
}

/* Begin BLOCK, a thread's.  A forked child has another depot: a copy.  */
static void
begin (lp_block *block)
{
  lp_event_begin (block, __builtin_ia32_rdtsc (), pool->entry_cost,
		  pool->exit_cost);
  block->depot = (uint8_t *) block - pool->local;
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
  own ()->mine = (uintptr_t) block;
  begin (block);
  own ()->slot = (uintptr_t) block;
  if (have_key)
    pthread_setspecific (key, block);
  return own ()->slot;
}

CLAIM_CODE uint64_t
lp_own_claim (void)
{
  __atomic_fetch_add (&inside, 1, __ATOMIC_SEQ_CST);
  if (everyone || own ()->depth)
    claim ();
  else
    own ()->slot = (uintptr_t) block_at (NOBODYS);
  uint64_t block = own ()->slot ? own ()->slot : (uintptr_t) block_at (EVERYBODYS);
  __atomic_fetch_sub (&inside, 1, __ATOMIC_SEQ_CST);
  return block;
}

#pragma GCC pop_options

/* The thread that has BLOCK ends.  Destructors of the program's may still enter
   profiled functions: then it gets another.  */
CLAIM_CODE static void
give_back (void *block)
{
  __atomic_fetch_add (&inside, 1, __ATOMIC_SEQ_CST);
  size_t i = pool ? ((uint8_t *) block - pool->local) / pool->stride : 0;
  if (!i)
    {
      __atomic_fetch_sub (&inside, 1, __ATOMIC_SEQ_CST);
      return;
    }
  if (own ()->depth)
    __atomic_fetch_sub (&on, 1, __ATOMIC_RELAXED);
  own ()->slot = own ()->mine = own ()->depth = 0;
  lp_event_end (block, __builtin_ia32_rdtsc ());
  while (__atomic_exchange_n (&locked, 1, __ATOMIC_ACQUIRE))
    ;
  pool->owners.v[i].tid = 0;
  pool->owners.v[i].next = pool->owners.anybodys;
  pool->owners.anybodys = i;
  __atomic_store_n (&locked, 0, __ATOMIC_RELEASE);
  __atomic_fetch_sub (&inside, 1, __ATOMIC_SEQ_CST);
}

/* The memory of another thread, FS_BASE being its thread pointer.  */
static uint64_t
thread_at (uint64_t fs_base)
{
  return fs_base + (uintptr_t) own ()
	 - (uintptr_t) __builtin_thread_pointer ();
}

/* A slot that was never empty is never asked for at its thread's end: its block is
   not given back.  */
int
lp_own_adopt (lp_process *self, uint64_t fs_base, lp_error *err)
{
  if (!fs_base || fs_base == (uintptr_t) __builtin_thread_pointer ())
    return 0;
  size_t i = everyone ? take () : NOBODYS;
  lp_block *block = block_at (i);
  const lp_own_thread new = { (uintptr_t) block, 0, 0 };
  if (i > NOBODYS)
    begin (block);
  return lp_process_write (self, thread_at (fs_base), &new, sizeof new, err);
}

int
lp_own_disown (lp_process *self, uint64_t fs_base, lp_error *err)
{
  static const lp_own_thread none;
  if (!fs_base || fs_base == (uintptr_t) __builtin_thread_pointer ())
    return 0;
  return lp_process_write (self, thread_at (fs_base), &none, sizeof none, err);
}

bool
lp_own_is_busy (uint64_t pc)
{
  return __atomic_load_n (&inside, __ATOMIC_SEQ_CST) > 0
	 || (pc >= (uintptr_t) claim_begin && pc < (uintptr_t) claim_end);
}

bool
lp_own_others_on (void)
{
  return __atomic_load_n (&on, __ATOMIC_RELAXED) != (own ()->depth > 0);
}

int32_t
lp_own_slot_offset (void)
{
  /* Volatile: as in probe/calibrate.c.  */
  volatile uintptr_t address = (uintptr_t) &own ()->slot;
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
  pool = NULL;
  own ()->slot = own ()->mine = own ()->depth = 0;
  on = 0;
}

bool
lp_own_on (void)
{
  if (own ()->depth++ > 0)
    return true;
  if (!own ()->mine && (own ()->slot = claim ()) == (uintptr_t) block_at (EVERYBODYS))
    {
      own ()->depth = 0;
      return false;
    }
  begin ((lp_block *) own ()->mine);
  own ()->slot = own ()->mine;
  lp_range_thread_on ();
  __atomic_fetch_add (&on, 1, __ATOMIC_RELAXED);
  return true;
}

/* What is open ends here.  */
bool
lp_own_off (void)
{
  if (own ()->depth == 0)
    return false;
  if (--own ()->depth > 0)
    return true;
  lp_range_thread_off ();
  own ()->slot = (uintptr_t) block_at (NOBODYS);
  lp_event_end ((lp_block *) own ()->mine, __builtin_ia32_rdtsc ());
  __atomic_fetch_sub (&on, 1, __ATOMIC_RELAXED);
  return true;
}

bool
lp_own_clear (void)
{
  uint32_t first = lp_pool_first_cell ();
  unsigned was = own ()->depth;
  if (lp_own_others_on ())
    return false;
  for (own ()->depth = was ? 1 : 0; own ()->depth;)
    lp_own_off ();
  lp_range_clear ();
  for (size_t i = 0; i < pool->owners.nused; i++)
    memset ((char *) block_at (i) + first, 0, pool->size - first);
  if (was)
    lp_own_on ();
  own ()->depth = was;
  return true;
}
