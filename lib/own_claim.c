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
#include <unistd.h>

#include "wire/events.h"

enum { KEYS = 32, EVERYBODYS = 0, ALIVE = 1 };

static __thread uint64_t slot __attribute__ ((tls_model ("initial-exec")));
static lp_pool *pool;
static pthread_key_t key;
static bool have_key;
static pid_t owner_pid;
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

uint64_t
lp_own_claim (void)
{
  size_t i = take ();
  lp_block *block = block_at (i);
  if (i == EVERYBODYS)
    return (uintptr_t) block;
  lp_event_begin (block, __builtin_ia32_rdtsc (), pool->entry_cost,
		  pool->exit_cost);
  slot = (uintptr_t) block;
  if (have_key)
    pthread_setspecific (key, block);
  return slot;
}

#pragma GCC pop_options

/* The thread that has BLOCK ends.  Destructors of the program's may still enter
   profiled functions: then it gets another.  */
static void
give_back (void *block)
{
  size_t i = ((uint8_t *) block - pool->local) / pool->stride;
  slot = 0;
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
lp_own_claims_begin (lp_pool *blocks)
{
  pool = blocks;
  owner_pid = getpid ();
  /* Who finds no block of its own may count there, and asks again next time.  */
  block_at (EVERYBODYS)->outside[4] = 1;
  have_key = pthread_key_create (&key, give_back) == 0 && key < KEYS;
}
