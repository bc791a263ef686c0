/* program.h: an executable file, and the shared objects that it was seen to load
   and that a pattern names: what is known of them before and while they run.

   All functions of a program have cells of their own, which are never given to
   others: what was counted stays, whatever is unloaded and loaded again.  */

#ifndef LP_PROGRAM_H
#define LP_PROGRAM_H

#include "collect/tally.h"
#include "collect/trees.h"
#include "prepare.h"

/* Which file, in which state.  */
typedef struct lp_file_id
{
  uint64_t dev, ino;
  int64_t mtime_ns, size;
} lp_file_id;

typedef struct lp_library
{
  struct lp_library *next;
  lp_file_id id;
  bool usable;			/* PREPARED is filled: it has functions to profile */
  lp_prepared prepared;
} lp_library;

typedef struct lp_program
{
  struct lp_program *next;
  uint64_t dev, ino;
  bool usable;			/* the rest is filled */
  bool placed;			/* an image of it has been profiled */
  lp_prepared prepared;		/* the executable */
  lp_library *libraries;	/* in the order in which they were seen */
  uint32_t end;			/* offset behind all cells; or the next function's number */
  lp_tallies tallies;		/* of processes, or threads, that ended */
  lp_trees trees;		/* the same where call trees are kept */
  char name[16];		/* the file's base name, cut as the kernel does */
} lp_program;

/* The file PATH as a program, not prepared.  NULL when it is not there, or out of
   memory.  */
lp_program *lp_program_new (const char *path, lp_error *err);
void lp_program_free (lp_program *program);

int lp_program_prepare (lp_program *program, const char *path,
			const lp_prepare_options *options, lp_error *err);

/* The shared object PATH as PROGRAM's, prepared when it is seen first, RESULTS as
   for lp_prepare_library.  NULL with ERR when it cannot be read.  */
lp_library *lp_program_library (lp_program *program, const char *path,
				const lp_prepare_options *options,
				lp_pattern_result *results, lp_error *err);

/* How far a block's room for cells should reach: libraries may come.  */
uint32_t lp_program_room (const lp_program *program,
			  const lp_prepare_options *options);

/* Describe all of PROGRAM's cells.  */
int lp_program_watches (const lp_program *program, lp_watch_list *watches,
			lp_error *err);

#endif
