/* follow.h: the program and what it starts, while they run: which executables
   there are, which images of them are alive, and what was counted in those that
   ended.

   A `program' is an executable file with what is known of it.  An image is one
   exec of it, with the forks of that.  Programs that cannot be profiled (without
   debug information, without the functions asked for) are simply let run,
   unless it is the first one.  */

#ifndef LP_FOLLOW_H
#define LP_FOLLOW_H

#include "base/arena.h"
#include "image.h"
#include "program.h"
#include "session.h"
#include "stepwindow.h"

/* An image that is alive.  */
typedef struct lp_live
{
  struct lp_live *next;
  lp_program *program;
  lp_image image;
  size_t nprocesses;		/* that are in it */
  pid_t first;			/* that was the first in it */
} lp_live;

/* A process's data: the image that it is in, and what was done to the modules in
   its memory.  */
typedef struct lp_member
{
  lp_live *live;
  lp_grafts grafts;
  bool guest;			/* in its parent's memory until it execs or ends: vfork */
} lp_member;

typedef struct lp_follow
{
  const lp_session_options *options;
  lp_costs costs;
  lp_program *programs;		/* the first one is the user's */
  lp_live *live;
  lp_pattern_result *results;	/* of the options' patterns, in all programs */
  LP_VEC (const char *) loaded;	/* the objects that the first image began with */
  LP_VEC (lp_module *) objects;	/* that have imports of programs (callees.c) */
  pid_t attached;		/* the first process ran already; 0: it was launched */
  lp_sketch sketch;		/* for it */
  size_t sketched;		/* lp_callees_count then */
  bool watched;			/* libraries that are loaded later are taken, too */
  lp_windows windows;
  lp_range_sums ranges;		/* of images that are gone */
  bool started;			/* the first image is installed */
  bool refused;			/* it could not be, and was ended: WHY */
  lp_error why;
  void (*on_start) (struct lp_follow *follow); /* called then */
  LP_VEC (const char *) notes;	/* for the reader; in STRINGS */
  lp_arena *strings;
} lp_follow;

/* Get the program PATH ready, which runs first.  -1 with what is wrong with
   it.  */
int lp_follow_prepare (lp_follow *follow, const char *path, lp_error *err);
/* programs.c, too: what PROC executes, prepared when it is seen first.  NULL: nothing
   that could be profiled.  */
lp_program *lp_follow_program (lp_follow *follow, lp_process *proc);
void lp_follow_free (lp_follow *follow);

/* originals.c: lp_hooks' `original', `copy' and `counted'.  */
uint64_t lp_originals_home (void *arg, lp_process *proc, uint64_t pc);
uint64_t lp_originals_copy (void *arg, lp_process *proc, uint64_t pc);
bool lp_originals_counted (void *arg, lp_process *proc, uint64_t pc);

/* The hooks that do it; their `arg' must be FOLLOW, or a struct that starts with
   it.  */
extern const lp_hooks lp_follow_hooks;

/* With --detach: find the blocks that threads took by themselves.  -1: out of
   memory.  */
int lp_follow_adopt (lp_follow *follow);

/* ranged.c: the named ranges.  Those of LIVE's process PID, or of its thread TID where
   that is not 0, which is gone, are at their end; LIVE itself is; why LIVE has none is
   told the reader; are they by thread; and all of them, for PROFILE, which has its
   parts.  -1: out of memory.  */
void lp_follow_end_ranges (lp_live *live, pid_t pid, pid_t tid);
int lp_follow_keep_ranges (lp_follow *follow, const lp_live *live);
int lp_follow_note_ranges (lp_follow *follow, const lp_live *live);
bool lp_follow_splits_ranges (const lp_follow *follow);
int lp_follow_fill_ranges (const lp_follow *follow, lp_profile *profile);

/* Tell the reader, as printf, what has not been told yet.  -1: out of memory.  */
int lp_follow_note (lp_follow *follow, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* programs.c: tell the reader which marked functions PREPARED misses.  -1: out of
   memory.  */
int lp_follow_note_vanished (lp_follow *follow, const lp_prepared *prepared);

/* Everything that PROGRAM has counted up to now, for the caller to free; what runs
   is not disturbed.  */
int lp_follow_sums (const lp_follow *follow, const lp_program *program,
		    lp_tallies *sums, lp_error *err);

#endif
