/* lineprof.h: the public interface of liblineprof, the line profiler for
   compiled programs.

   Conventions.  A function that can fail takes a caller-owned lp_error as its
   last argument (NULL where the caller does not care), returns 0 or a pointer
   on success and -1 or NULL on failure, and fills the error then.  The library
   never prints and never exits; where memory runs out in libdw, capstone, or jansson,
   not all of that can be noticed, and the process may end.  Times are int64_t nanoseconds
   of wall time.  Addresses are those of the file (its link-time virtual addresses) unless
   a comment says "run-time".  */

#ifndef LINEPROF_H
#define LINEPROF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What went wrong, as a kind a program can act on.  */
enum lp_code
{
  LP_OK = 0,
  LP_ENOMEM,		/* out of memory */
  LP_EUSAGE,		/* an argument is wrong */
  LP_ENOTFOUND,		/* no such program or file */
  LP_ENOEXEC,		/* not executable: permission, script, not ELF, other machine */
  LP_ENOSYMBOLS,	/* the program has no symbols */
  LP_ENOLINES,		/* the program has no line information */
  LP_ENOMATCH,		/* a pattern selects nothing */
  LP_EFORMAT,		/* a file is not what it should be, or is truncated */
  LP_EIO,		/* reading or writing failed */
  LP_ETRACE,		/* the kernel does not let us trace the process */
  LP_ETARGET,		/* the process did something we could not follow */
  LP_EUNSUPPORTED,	/* understood, and not done by this version */
  LP_ENOENGINE		/* a part of the library is missing, or of another version */
};

/* An error: its kind, and one line (no newline at its end) that names the
   thing and the remedy.  */
typedef struct lp_error
{
  int code;
  char text[1024];
} lp_error;

/* The library's version, "MAJOR.MINOR.PATCH".  Static; never fails.  */
const char *lp_version (void);

/* Profiling this process from within.  Link with -llineprof.

     lp_profiler *p = lp_profiler_new (&err);
     lp_profiler_add (p, "parse_*", &err);
     LP_PROFILE (p)
       work ();
     lp_profile *profile = lp_snapshot (p, &err);
     lp_profile_print (profile, stdout, &err);
     lp_profile_free (profile);
     lp_profiler_free (p, &err);

   The first lp_enable patches the functions.  Other threads stand still for that,
   some milliseconds, wherever they are; neither their system calls nor the program's
   signals notice, but that epoll_wait and others that no signal lets go on begin their
   timeout anew.  (A short-lived child that shares the memory stops them by ptrace;
   wait does not see it.)  Any thread may be enabled, and counts only while it is.  A
   function that is not enabled anywhere still costs its probes, about
   10 ns a line, until lp_profiler_free.  What could not be cloned is not
   profiled, and the profile says why.

   The shared library loads what it needs for all this, its engine, when a profiler is
   made, a profile is loaded, or LINE_PROFILE is set: LP_ENOENGINE where that is missing.  It
   is the file liblineprof-engine.so in the folder lineprof beside the library, or where
   lineprof was installed.  Functions that are called all the same fail so, too; nothing
   is to be freed.  So it is with LP_EUNSUPPORTED where the program is built with a
   sanitizer that does not bear it: no profiler is made, and nothing is loaded.

   Not from signal handlers.  A profiler's functions may be called by several
   threads at once, but for lp_profiler_add, lp_reset and lp_profiler_free.  A forked
   child has a copy of everything, with what its parent had counted.  */
typedef struct lp_profiler lp_profiler;

/* A profile: what was counted up to some moment, or a file's contents.  */
typedef struct lp_profile lp_profile;

/* A profiler without functions.  There is one in a process at a time.  NULL with
   LP_EUSAGE: there is another, maybe that of LINE_PROFILE; LP_EUNSUPPORTED;
   LP_ENOENGINE; LP_ENOMEM.  */
lp_profiler *lp_profiler_new (lp_error *err);

/* Select functions by a pattern as kernprof's -f takes it: a name, a glob,
   file.c, file.c:name, file.c:LINE, dir/, LIB:PATTERN.  Whether it matches is
   seen at the first lp_enable.  LP_EUSAGE: PATTERN is empty, or that was before;
   LP_ENOMEM.
   A profiler without any takes what is marked (PROFILE_FN).  */
int lp_profiler_add (lp_profiler *p, const char *pattern, lp_error *err);

/* Select the function of the executable that starts at FUNCTION.  LP_EUSAGE as
   above, and where FUNCTION is NULL; LP_ENOMEM.  */
int lp_profiler_add_function (lp_profiler *p, void (*function) (void),
			      lp_error *err);

/* The calling thread counts from now on.  Calls nest: as many lp_disable end it.
   The first one of all fails with LP_ENOMATCH, LP_ENOLINES, LP_ENOSYMBOLS (the
   functions), LP_EUNSUPPORTED (another thread could not be stopped: ptrace is not
   allowed, as under a debugger, or it waits in the kernel, as in vfork; no executable
   memory), LP_ENOMEM, LP_ETARGET (the code in memory is not the file's), and may be tried
   again.  */
int lp_enable (lp_profiler *p, lp_error *err);

/* LP_EUSAGE: the thread is not enabled.  */
int lp_disable (lp_profiler *p, lp_error *err);

/* Call FUNCTION (ARG) with the calling thread enabled.  Fails as lp_enable does, with
   LP_ENOMATCH and so on; FUNCTION is not called then.  */
int lp_run (lp_profiler *p, void (*function) (void *arg), void *arg,
	    lp_error *err);

/* What was counted up to now, by all threads; nobody is disturbed.  Free it.  NULL
   with LP_EUSAGE: nothing was ever enabled; LP_ENOMEM.  */
lp_profile *lp_snapshot (const lp_profiler *p, lp_error *err);

/* Forget what was counted.  LP_EUSAGE: another thread is enabled, or nothing ever
   was.  */
int lp_reset (lp_profiler *p, lp_error *err);

/* Take the profiler out of the process, whose code is as before; other threads stand
   still for that.  Profiles stay.  LP_EUSAGE: another thread is enabled.
   LP_EUNSUPPORTED: one could not be stopped, or did not leave the functions; LP_ENOMEM.
   All is as before the call then, P too.  P may be NULL.  */
int lp_profiler_free (lp_profiler *p, lp_error *err);

/* Write the tables as `kernprof -l -v' does.  LP_EIO, LP_ENOMEM.  */
int lp_profile_print (lp_profile *profile, FILE *out, lp_error *err);

/* Write PROFILE to the file PATH, as a whole or not at all: for kernprof view.
   LP_EIO, LP_ENOMEM.  */
int lp_profile_save (const lp_profile *profile, const char *path,
		     lp_error *err);

/* Read such a file.  NULL with LP_ENOTFOUND, LP_EFORMAT, LP_EIO, LP_ENOENGINE,
   LP_ENOMEM.  */
lp_profile *lp_profile_load (const char *path, lp_error *err);

/* Add the numbers of OTHER to INTO.  LP_EUSAGE: one is of lines, the other of
   calls; LP_ENOMEM.  INTO is as before then.  */
int lp_profile_merge (lp_profile *into, const lp_profile *other,
		      lp_error *err);

/* PROFILE may be NULL.  */
void lp_profile_free (lp_profile *profile);

/* The numbers as plain data.  */
typedef struct lp_line_count
{
  const char *file;
  uint32_t line;
  int64_t hits;
  int64_t time, self;		/* ns: with all that the line calls; without other profiled
				   functions */
} lp_line_count;

typedef struct lp_function_count
{
  const char *name, *file;
  uint32_t line;
  int64_t calls;
  int64_t total, self;		/* ns */
  const char *reason;		/* why it was not profiled, or not by the usual engine, or NULL */
  size_t nlines;
  const lp_line_count *lines;	/* in any order */
} lp_function_count;

/* All functions of PROFILE, those that never ran among them: *N at *FUNCTIONS,
   which live as long as PROFILE.  LP_ENOMEM.  */
int lp_profile_functions (lp_profile *profile,
			  const lp_function_count **functions, size_t *n,
			  lp_error *err);

typedef struct lp_range_count
{
  const char *name;
  int64_t count;		/* how often it was begun */
  int64_t total, own;		/* ns: with it open, each counted once; without the ranges in
				   it */
  int64_t min, max;		/* ns of one; -1: none ended by itself, or not known */
  int64_t open;			/* how many did not end by themselves */
} lp_range_count;

/* The named ranges of PROFILE, the longest first, as lp_profile_functions does it.
   LP_ENOMEM.  */
int lp_profile_ranges (lp_profile *profile, const lp_range_count **ranges,
		       size_t *n, lp_error *err);

/* Inlined at any level, so that they are no functions of the program's.  */
#define LP_INLINE_ static inline __attribute__ ((always_inline))

/* LP_PROFILE (profiler) STATEMENT: it runs enabled, when that is possible, and in any
   case.  However it is left, break, return, goto or exception, the thread is
   disabled again.  */
#define LP_PROFILE(profiler)						\
  for (struct lp_scope_ LP_PASTE (lp_scope_, __LINE__)			\
	 __attribute__ ((cleanup (lp_scope_end_)))			\
	 = lp_scope_begin_ (profiler);					\
       LP_PASTE (lp_scope_, __LINE__).once;				\
       LP_PASTE (lp_scope_, __LINE__).once = 0)

struct lp_scope_
{
  lp_profiler *on;
  int once;
};

LP_INLINE_ struct lp_scope_
lp_scope_begin_ (lp_profiler *p)
{
  struct lp_scope_ scope = { 0, 1 };
  if (lp_enable (p, 0) == 0)
    scope.on = p;
  return scope;
}

LP_INLINE_ void
lp_scope_end_ (struct lp_scope_ *scope)
{
  if (scope->on)
    lp_disable (scope->on, 0);
}

/* Named ranges.

     LP_RANGE ("decode")
       {
         ...
       }

   measures how often and how long the block runs, in whatever functions: in each
   thread by itself, nested or not, recursively too.  The same name in several places
   is one range.  A range's own time is that without the ranges directly in it.  It is
   recorded under kernprof, with LINE_PROFILE=1 (also where nothing is marked), and in
   threads that are enabled; else it costs a look at a variable.  Link with
   -llineprof.

   NAME is a string that lives, unchanged, as long as the process.  The block may be
   left in any way, but by longjmp: then its range ends with the next one around it that
   is left in another way.  In C, exceptions that pass through need -fexceptions, as
   always.  `break' and `continue' in it leave it, and no loop around it.

   A range that is open when recording ends (lp_disable, lp_reset, the end of the thread
   or the process, however that comes) counts up to there, and not for the shortest and
   longest.  One that was open before recording began does not count.  A forked child
   has no range open.

   Not from signal handlers.  No more than 511 names are recorded, 128 ranges in each
   other, and 1024 threads at once; a note in the profile tells when these were too
   few.  */

/* The same for where a block does not fit: lp_range_pop ends the innermost open range of
   the thread.  Nothing happens when there is none.  */
LP_INLINE_ void lp_range_push (const char *name);
LP_INLINE_ void lp_range_pop (void);

/* What these do while somebody records.  lp_range_enter returns a mark, which is never 0
   then, for lp_range_leave to end that range, with all in it; 0: the innermost
   one.  */
uint64_t lp_range_enter (const char *name);
void lp_range_leave (uint64_t mark);
/* Does somebody?  Not for writing.  */
extern int lp_ranges_on;

#define LP_RANGES_ON_							\
  __builtin_expect (__atomic_load_n (&lp_ranges_on, __ATOMIC_RELAXED), 0)

LP_INLINE_ void
lp_range_push (const char *name)
{
  if (LP_RANGES_ON_)
    lp_range_enter (name);
}

LP_INLINE_ void
lp_range_pop (void)
{
  if (LP_RANGES_ON_)
    lp_range_leave (0);
}

#define LP_RANGE(name)							\
  for (struct lp_range_ LP_PASTE (lp_range_, __LINE__)			\
	 __attribute__ ((cleanup (lp_range_end_)))			\
	 = lp_range_begin_ (name);					\
       LP_PASTE (lp_range_, __LINE__).once;				\
       LP_PASTE (lp_range_, __LINE__).once = 0)

struct lp_range_
{
  uint64_t mark;
  int once;
};

LP_INLINE_ struct lp_range_
lp_range_begin_ (const char *name)
{
  struct lp_range_ range = { 0, 1 };
  if (LP_RANGES_ON_)
    range.mark = lp_range_enter (name);
  return range;
}

LP_INLINE_ void
lp_range_end_ (struct lp_range_ *range)
{
  if (__builtin_expect (range->mark != 0, 0))
    lp_range_leave (range->mark);
}

#ifdef __cplusplus
}

namespace lineprof
{
  /* The thread that makes it is enabled as long as it lives.  */
  class scope
  {
    lp_profiler *on;
    scope (const scope &);
    scope &operator= (const scope &);

  public:
    explicit scope (lp_profiler *p) : on (lp_enable (p, 0) == 0 ? p : 0) {}
    ~scope ()
    {
      if (on)
	lp_disable (on, 0);
    }
    /* Is it enabled?  */
    bool enabled () const { return on != 0; }
  };

  /* The range NAME is open as long as it lives.  */
  class range
  {
    uint64_t mark;
    range (const range &);
    range &operator= (const range &);

  public:
    explicit range (const char *name)
      : mark (LP_RANGES_ON_ ? lp_range_enter (name) : 0) {}
    ~range ()
    {
      if (__builtin_expect (mark != 0, 0))
	lp_range_leave (mark);
    }
  };
}
#endif

/* Marks: which functions `kernprof -l' profiles by default.

     PROFILE_FN
     static int
     parse (const char *text)
     ...

   PROFILE_FN stands before a function definition at file or namespace scope, or
   before the declaration of a variable that holds a lambda; PROFILE_MEMBER_FN does
   the same inside a class or a class template; PROFILE_FN_NAMED ("PATTERN"); at file
   scope marks the functions that `kernprof -f PATTERN' would select.  A mark is a note in
   the object file (section .note.lineprof, kept by strip and by --gc-sections): no code,
   no data in memory that anybody writes, no library.

   The note: name "lineprof", type 1 (the next function) or 2 (a pattern); its
   descriptor is the line as a 32-bit word, the file and the pattern as strings
   with their NUL.  */
#define LP_STRING_(text) #text
#define LP_STRING(text) LP_STRING_ (text)
#define LP_PASTE_(a, b) a##b
#define LP_PASTE(a, b) LP_PASTE_ (a, b)
#define LP_NOTE_(type, pattern)						\
  ".pushsection .note.lineprof, \"a\", @note\n"				\
  "\t.balign 4\n"							\
  "\t.long 9, 7732f - 7731f, " type "\n"				\
  "\t.asciz \"lineprof\"\n"						\
  "\t.balign 4\n"							\
  "7731:\t.long " LP_STRING (__LINE__) "\n"				\
  "\t.asciz \"" __FILE__ "\"\n"						\
  "\t.asciz \"" pattern "\"\n"						\
  "7732:\t.balign 4\n"							\
  "\t.popsection\n"

#define PROFILE_FN __asm__ (LP_NOTE_ ("1", ""));
#define PROFILE_FN_NAMED(pattern) __asm__ (LP_NOTE_ ("2", pattern))
/* A class has no place for an asm but in a function; this one is empty, and
   nobody calls it.  Of a class template only what is used becomes code, hence the
   assertion.  */
#define PROFILE_MEMBER_FN						\
  struct LP_PASTE (lp_mark_, __LINE__)					\
  {									\
    __attribute__ ((naked, used)) static void				\
    mark ()								\
    {									\
      __asm__ (LP_NOTE_ ("1", ""));					\
    }									\
  };									\
  static_assert (&LP_PASTE (lp_mark_, __LINE__)::mark || true, "");

#endif /* LINEPROF_H */
