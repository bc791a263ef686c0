/* owners.h: which thread has which block.  A block has a number; those below
   the first that may be owned are never found, so 0 means none.

   A program makes and ends threads by the hundred thousand, and each claims,
   is looked up and gives back: none of it depends on how many there are.  */

#ifndef LP_COLLECT_OWNERS_H
#define LP_COLLECT_OWNERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

typedef struct lp_owner
{
  pid_t pid, tid;		/* tid 0: free for another thread of pid; pid 0: for anybody;
				   pid -1: nobody's any more */
  uint32_t next;		/* of those in the same chain; 0 at its end */
  uint32_t host;		/* not 0: where the thread's events go: it is a vfork child, and
				   this is the block of the thread that waits for it */
  char name[16];		/* the thread's, where the collector found it out */
} lp_owner;

enum { LP_OWNER_CHAINS = 1024 };

typedef struct lp_owners
{
  lp_owner *v;			/* by the block's number */
  size_t n;			/* numbers that there are */
  size_t first;			/* the first that may be owned */
  size_t nused;			/* numbers from this one on were never owned */
  uint32_t of_tid[LP_OWNER_CHAINS]; /* by tid: those with a thread */
  uint32_t of_pid[LP_OWNER_CHAINS]; /* by pid: those that wait for a thread of it */
  uint32_t anybodys;
} lp_owners;

/* For numbers below N; those below FIRST are nobody's.  -1: out of memory.  */
int lp_owners_init (lp_owners *owners, size_t n, size_t first, lp_error *err);
void lp_owners_free (lp_owners *owners);

/* A number for thread TID of PID: one that PID had before, else one that nobody
   has, else a fresh one.  0: none is left.  */
size_t lp_owners_claim (lp_owners *owners, pid_t pid, pid_t tid);
/* A fresh one in any case.  */
size_t lp_owners_claim_new (lp_owners *owners, pid_t pid, pid_t tid);
/* TID's number, or 0.  */
size_t lp_owners_find (const lp_owners *owners, pid_t tid);

/* Number I is free for another thread of the same process, for anybody, or never
   again.  */
void lp_owners_give_back (lp_owners *owners, size_t i);
void lp_owners_give_away (lp_owners *owners, size_t i);
void lp_owners_retire (lp_owners *owners, size_t i);

#endif
