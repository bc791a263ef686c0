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

/* Marks: which functions `kernprof -l' profiles by default.

     PROFILE_FN
     static int
     parse (const char *text)
     ...

   PROFILE_FN stands before a function definition at file or namespace scope, or
   before the declaration of a variable that holds a lambda; PROFILE_MEMBER_FN does
   the same inside a class; PROFILE_FN_NAMED ("PATTERN"); at file scope marks the
   functions that `kernprof -f PATTERN' would select.  A mark is a note in the
   object file (section .note.lineprof, kept by strip and by --gc-sections): no
   code, no data in memory that anybody writes, no library.

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
   nobody calls it.  */
#define PROFILE_MEMBER_FN						\
  struct LP_PASTE (lp_mark_, __LINE__)					\
  {									\
    __attribute__ ((naked, used)) static void				\
    mark ()								\
    {									\
      __asm__ (LP_NOTE_ ("1", ""));					\
    }									\
  };

#endif /* LINEPROF_H */
