/* profile.h: a finished profile as plain data, independent of any process,
   of libdw and of the machine that reads it.

   Everything in an lp_profile belongs to it (strings are interned or owned by
   its arena) and is released by lp_profile_free.  Times are nanoseconds with
   the probes' own cost already subtracted.  */

#ifndef LP_PROFILE_PROFILE_H
#define LP_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "profile/calls.h"

/* How a function was measured.  */
enum lp_engine
{
  LP_ENGINE_CLONE,		/* probes in a copy of its code */
  LP_ENGINE_BREAKPOINT,		/* int3 at line starts */
  LP_ENGINE_STEP,		/* single steps */
  LP_ENGINE_NONE		/* refused: `reason` says why; no numbers */
};

typedef struct lp_source
{
  const char *path;		/* as in the debug information, absolute where known */
  int64_t mtime;		/* seconds since the epoch when profiled, or -1 */
  const char *md5;		/* hexadecimal, of the compiled source (from DWARF), or NULL */
} lp_source;

typedef struct lp_object
{
  const char *path;		/* the executable or shared library */
  const char *build_id;		/* hexadecimal, or "" */
} lp_object;

/* A line of a function that has code.  */
typedef struct lp_code_line
{
  uint32_t source;		/* index into lp_profile.sources (usually the function's) */
  uint32_t line;
  const char *note;		/* NULL, or a remark such as "(+inlined leaf)" */
  uint32_t digest;		/* of its text (report/digest.h); 0: unknown */
} lp_code_line;

/* What was profiled: the same for all parts.  */
typedef struct lp_subject
{
  const char *name;		/* display name */
  const char *linkage;		/* symbol name or NULL */
  uint32_t object;		/* index into lp_profile.objects */
  uint32_t source;		/* index into lp_profile.sources */
  uint32_t line;		/* declared at */
  uint32_t last_line;		/* last line that has code */
  enum lp_engine engine;
  const char *reason;		/* why not LP_ENGINE_CLONE, or NULL */
  const char *holder;		/* NULL: out of line; else the function that it was inlined
				   into, ... */
  uint32_t site_source, site_line; /* ... and the line that calls it there */
  bool untimed;			/* such an instance's calls are counted, and its time is that of
				   what is around it (profile/calls.h) */
  LP_VEC (lp_code_line) lines;	/* in any order */
} lp_subject;

/* Numbers of one line, parallel to lp_subject.lines.  */
typedef struct lp_line_stat
{
  int64_t hits;
  int64_t time;			/* inclusive: with all callees, ns */
  int64_t self;			/* not in other profiled functions, ns */
  bool open;			/* was being executed when the profile was drained:
				   "did not return" */
} lp_line_stat;

/* Numbers of one function in one part.  */
typedef struct lp_function_stat
{
  uint32_t subject;		/* index into lp_profile.subjects */
  int64_t calls;
  int64_t primitive;		/* calls that were not recursive (0 where not measured) */
  int64_t total;		/* wall time with the function on the stack, ns: the sum of
				   its lines' `time` */
  int64_t self;			/* sum of its lines' `self` */
  lp_line_stat *lines;		/* subject's lines.n of them */
} lp_function_stat;

/* A named range of the program (<lineprof.h>, LP_RANGE) in one part.  */
typedef struct lp_range_stat
{
  const char *name;		/* in the profile's strings: equal names are one pointer */
  int64_t count;		/* how often it was begun */
  int64_t total;		/* ns with it open, each counted once */
  int64_t own;			/* ns without the ranges in it */
  int64_t min, max;		/* ns of one that ended by itself; -1: not known */
  int64_t open;			/* how many did not end by themselves */
} lp_range_stat;

/* Where the numbers come from: a process, or one thread of it.  */
typedef struct lp_part
{
  int32_t pid;
  int32_t tid;			/* 0: all threads of the process together */
  const char *name;		/* of the thread or the process; may be "" */
  LP_VEC (lp_function_stat) functions; /* by subject ascending; absent = never ran */
  LP_VEC (lp_range_stat) ranges; /* each name once */
} lp_part;

typedef struct lp_profile
{
  const char *kind;		/* LP_KIND_LINES or LP_KIND_FUNCTIONS */
  const char *version;		/* lineprof's that wrote it */
  const char *host, *machine;	/* name; CPU model */
  const char *const *command;	/* argv of the program */
  size_t ncommand;
  int64_t start;		/* seconds since the epoch */
  int64_t duration;		/* ns from the first instruction to the end */
  int32_t exit_status;		/* as waitpid(2) gives it; -1 unknown */
  const char *clock;		/* "tsc" */
  double ticks_per_ns;
  double probe_cost;		/* ns subtracted for each line event */
  double call_cost;		/* ns subtracted for each entry with its exit */
  const char *time_mode;	/* "exact", "sampled", "none" */
  bool selected;		/* functions were asked for by name: a report shows all of
				   them, not only those with the most time */
  LP_VEC (const char *) notes;	/* for the reader, a line each */
  LP_VEC (lp_object) objects;	/* the program's executable first */
  LP_VEC (lp_source) sources;
  LP_VEC (lp_subject) subjects;
  LP_VEC (lp_part) parts;
  LP_VEC (lp_call_node) nodes;	/* the call tree (calls.h); empty in a line profile */
  struct lp_arena *arena;	/* owns strings and arrays */
} lp_profile;

/* "clone", "breakpoint", "step", "none"; NULL behind the last one.  */
const char *lp_engine_name (enum lp_engine engine);

/* A + B for counts and times, which are not negative: stops at INT64_MAX.  */
static inline int64_t
lp_add (int64_t a, int64_t b)
{
  int64_t sum;
  return __builtin_add_overflow (a, b, &sum) ? INT64_MAX : sum;
}

/* A new empty profile, or NULL when out of memory.  */
lp_profile *lp_profile_new (lp_error *err);
void lp_profile_free (lp_profile *profile);

/* A copy of S that lives as long as PROFILE (NULL stays NULL); equal strings
   share one copy.  NULL when out of memory.  */
const char *lp_profile_string (lp_profile *profile, const char *s);
/* Zeroed storage of N bytes that lives as long as PROFILE, or NULL.  */
void *lp_profile_alloc (lp_profile *profile, size_t n);

/* Write PROFILE to PATH: to a temporary name in the same folder, flushed, then
   renamed, so that PATH is never half-written.  -1 with LP_EIO naming PATH.  */
int lp_profile_save (const lp_profile *profile, const char *path,
		     lp_error *err);

/* Could lp_profile_save write PATH now?  Asks the file system and leaves
   nothing behind.  0, or -1 with LP_EIO naming PATH and what is wrong.  */
int lp_profile_check_output (const char *path, lp_error *err);

/* Read a profile.  Trusts nothing: NULL with LP_EFORMAT for a truncated,
   corrupt, foreign or newer file, LP_ENOTFOUND, LP_EIO.  Of either kind.  */
lp_profile *lp_profile_load (const char *path, lp_error *err);

/* Take the numbers of EARLIER, a profile of the same run, away from FROM; what is
   left is not below 0, and call paths on which nothing is left are gone.  EARLIER
   is spoilt, to be freed.  */
int lp_profile_take_away (lp_profile *from, lp_profile *earlier, lp_error *err);

/* Add OTHER's numbers to INTO: same functions (object's build-id or path,
   linkage name or name, source, line) are summed part by part; differing lines
   are united.  OTHER is unchanged, and INTO, too, when that fails.  */
int lp_profile_merge (lp_profile *into, const lp_profile *other,
		      lp_error *err);

/* Add FROM's numbers, which has N lines, to TO: line I of FROM to line MAP[I],
   or to line I where MAP is NULL.  */
void lp_function_stat_add (lp_function_stat *to, const lp_function_stat *from,
			   const uint32_t *map, size_t n);

/* The sum over all parts for each subject: an array of subjects.n stats in
   PROFILE's arena (`lines` never NULL), or NULL when out of memory.  */
lp_function_stat *lp_profile_totals (lp_profile *profile, lp_error *err);

#endif
