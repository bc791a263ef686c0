/* lineprof.h: the public interface of liblineprof, the line profiler for
   compiled programs.

   Conventions.  A function that can fail takes a caller-owned lp_error as its
   last argument (NULL where the caller does not care), returns 0 or a pointer
   on success and -1 or NULL on failure, and fills the error then.  The library
   never prints and never exits.  Times are int64_t nanoseconds of wall time.
   Addresses are those of the file (its link-time virtual addresses) unless a
   comment says "run-time".  */

#ifndef LINEPROF_H
#define LINEPROF_H

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
  LP_EUNSUPPORTED	/* understood, and not done by this version */
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

#ifdef __cplusplus
}
#endif

#endif /* LINEPROF_H */
