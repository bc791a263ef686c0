/* target.h: programs that run under ptrace: launch, memory, remote system
   calls, mappings, loaded objects, and the loop that follows them.

   One lp_target holds the program and every process it forks.  All calls come
   from the one thread that launched it (ptrace's rule).  */

#ifndef LP_TARGET_TARGET_H
#define LP_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "base/error.h"
#include "base/vec.h"

/* A tracer whose pid is not the one that its user knows has this name; the
   refusal that finds it says kernprof.  */
#define LP_TRACER_NAME "lineprof-tracer"

typedef struct lp_target lp_target;
typedef struct lp_process lp_process;

/* An ELF object that the process has mapped.  */
typedef struct lp_loaded
{
  const char *path;		/* as in /proc/PID/maps; the executable first */
  uint64_t bias;		/* run-time address minus file address */
  uint64_t lo, hi;		/* run-time extent */
} lp_loaded;

enum { LP_BETWEEN = 1 };	/* no address of code */

/* What the owner of the target wants to know.  Every hook but `tick` is called
   with the thread that caused it stopped (the other threads of the process may
   run); all may be NULL.  Returning -1 with ERR filled ends profiling: the
   program is let go undisturbed and lp_target_run fails with that error, unless
   the process was killed meanwhile: then the error was its end, and is
   forgotten.  */
typedef struct lp_hooks
{
  void *arg;
  /* A new image is ready: objects are loaded and relocated, no constructor has
     run, there is one thread TID (= pid).  Once after launch, and once after
     each later exec of a followed process.  */
  int (*loaded) (void *arg, lp_process *proc, lp_error *err);
  /* A process image went away by exec; `loaded` follows for the new one.  Its
     memory is already gone.  */
  void (*unloaded) (void *arg, lp_process *proc);
  /* The set of loaded objects changed (dlopen, dlclose), all consistent.  Only
     with this hook does an int3 of the target's own stay in the process.  */
  int (*modules) (void *arg, lp_process *proc, lp_error *err);
  /* TID began to exist in PROC (not called for the first thread of an image);
     it has not run an instruction of its own.  */
  int (*thread_new) (void *arg, lp_process *proc, pid_t tid, lp_error *err);
  /* TID has ended, and /proc still knows its name; `thread_gone' or `ended'
     comes next.  Not called for all: a thread may end while something else is
     waited for.  With this hook each report of the kernel costs a system call
     more.  */
  void (*thread_ends) (void *arg, lp_process *proc, pid_t tid);
  void (*thread_gone) (void *arg, lp_process *proc, pid_t tid);
  /* CHILD is a fork of PARENT (own copy of memory; one thread), not yet run.
     With SHARES_MEMORY (vfork and clone with CLONE_VM) it runs in the
     parent's memory until it execs or ends.  When children are not followed,
     `released` comes next: at once, or with SHARES_MEMORY at its exec, because
     an int3 of its parent's would kill it before.  Return 1 to say that there is
     no int3: then it is let go at once, too, and can be traced by its parent
     (a debugger's child).  */
  int (*forked) (void *arg, lp_process *parent, lp_process *child,
		 bool shares_memory, lp_error *err);
  /* A thread executed an int3; REGS->rip is behind it.  Return 1 when it was
     ours (REGS as changed are written back and the thread goes on without a
     signal), 0 when it is the program's own, -1 on error.  */
  int (*trap) (void *arg, lp_process *proc, pid_t tid,
	       struct user_regs_struct *regs, lp_error *err);
  /* An instruction of TID accessed memory at ADDR that it may not, or was itself
     where none may be executed (SIGSEGV, sent by the kernel); REGS->rip is at it.
     As `trap`: 1 when it was ours.  */
  int (*fault) (void *arg, lp_process *proc, pid_t tid, uint64_t addr,
		struct user_regs_struct *regs, lp_error *err);
  /* Where the program shall believe to be, in its signal handlers and in its core
     file, while the program counter is PC: an address of its own, with the same
     registers; LP_BETWEEN where PC has none, but some instructions later has; or 0:
     at PC.  And for the way back: where a thread has to go on that the program
     sends to PC; 0: there.  All three of these or none.  */
  uint64_t (*original) (void *arg, lp_process *proc, uint64_t pc);
  uint64_t (*copy) (void *arg, lp_process *proc, uint64_t pc);
  /* Is PC at an instruction whose original must not be come to again, because it was
     counted when it led here?  It makes no system call.  */
  bool (*counted) (void *arg, lp_process *proc, uint64_t pc);
  /* Threads stop at all their system calls, so that what an int3 or a fault does to
     SIGTRAP or SIGSEGV, blocked, ignored, pending or handled, is undone exactly.
     Else what is seldom done is guessed (breakpoint.c).  */
  bool exact;
  /* With `exact': TID has come through a system call, and was stopped twice.  */
  void (*called) (void *arg, lp_process *proc, pid_t tid);
  /* A thread of PROC is stopped, at the latest when one stops anyway, because
     lp_target_pause asked for it; system calls can be made in it.  */
  int (*paused) (void *arg, lp_process *proc, lp_error *err);
  /* The last thread of PROC ended with STATUS as waitpid(2) gives it.  PROC is
     gone afterwards.  */
  void (*ended) (void *arg, lp_process *proc, int status);
  /* PROC is let go alive: it runs on untraced, so nothing that traps may stay in
     its memory.  All its threads are stopped.  PROC is gone afterwards.  After
     `unloaded` without `loaded` there is nothing of the owner's in it; and what
     is in a child that shares its parent's memory is the parent's.  */
  void (*released) (void *arg, lp_process *proc);
  /* SIGUSR1 or SIGUSR2, where not 0, is the owner's: the program never gets it.
     `summoned' is called when it is sent to the first process, to us, or to both
     at once.  Nothing is stopped.  */
  int summons;
  int (*summoned) (void *arg, lp_error *err);
  /* Called every TICK_MS milliseconds while the program runs, when not 0.
     Nothing is stopped.  */
  unsigned tick_ms;
  int (*tick) (void *arg, lp_error *err);
} lp_hooks;

typedef struct lp_launch
{
  const char *path;		/* file to execute, as found in PATH */
  char *const *argv;
  const char *preload;		/* path of a shared object to preload into dynamic programs
				   without leaving a trace in their environment, or NULL.
				   The loader splits at ':' and white space: none in it */
  bool follow;			/* profile children too; false: they are let go at birth,
				   those that share memory when they exec */
  pid_t group;			/* the process group to start it in; 0: ours */
} lp_launch;

typedef struct lp_attach
{
  pid_t pid;
  bool follow;			/* as in lp_launch */
  /* Called with the process before it is touched: it runs, its mappings can be
     read where that is allowed, nothing else can be done.  May be NULL.  */
  void (*approach) (void *arg, lp_process *proc);
  void *arg;
} lp_attach;

/* Seize every thread of the running process ATTACH->pid and stop them all.  The caller
   prepares what it can before; lp_target_run then calls `loaded' with all
   threads stopped, and from there on the program runs.  SIGINT, SIGTERM and
   SIGHUP end the run instead of reaching the program, which is let go alive:
   `released' is the last hook.  NULL with LP_ENOTFOUND, LP_ETRACE (who or what
   forbids it).  On any failure the process runs on as it was.  */
lp_target *lp_target_attach (const lp_attach *attach, lp_error *err);
/* May PID be attached to, as far as that can be said before?  -1 with who or what
   forbids it.  */
int lp_attach_check (pid_t pid, lp_error *err);
/* How long the process stood still, from the first of its threads to the last, to
   begin (NS[0]) and to end (NS[1]); 0 where it did not.  */
void lp_target_stood (const lp_target *target, int64_t ns[2]);
/* From a hook: end the run, letting everybody go.  */
void lp_target_stop (lp_target *target);
/* From `loaded' of a program that was launched: when that hook returns it runs on
   untraced, with all that is in it.  Of the hooks `ended' and `tick' are left:
   nobody hears of its threads, children and execs, handles an int3 in it, or shows
   its signal handlers their own addresses.  */
void lp_target_let_go (lp_target *target);
/* From a hook: call `paused' for every process, soon.  */
void lp_target_pause (lp_target *target);
/* The file that process PID executes, by its name now, in PATH, and what it is; false
   when nobody can open it by that name any more.  */
struct stat;
bool lp_executable_path (pid_t pid, char *path, size_t size, struct stat *st);
/* The threads of PROC: up to MAX of them in TIDS.  Returns how many there are.  */
size_t lp_process_threads (const lp_process *proc, pid_t *tids, size_t max);
/* A stopped thread of PROC in which lp_remote_syscall works, or 0.  */
pid_t lp_process_able (const lp_process *proc);
/* Run one machine instruction of the stopped thread TID.  -1: it is not where
   that can be done, or has ended.  */
int lp_thread_step (lp_process *proc, pid_t tid, lp_error *err);

/* Find NAME as execvp would: a copy of the path (free it), or NULL with
   LP_ENOTFOUND (exit status 127) or LP_ENOEXEC (126).  */
char *lp_find_program (const char *name, lp_error *err);

/* Start the program stopped before its first instruction.  The program's
   standard streams, working directory, process group, terminal, signal
   dispositions and mask are kernprof's caller's.  NULL with LP_ENOTFOUND,
   LP_ENOEXEC (exec failed: why), LP_ETRACE (the kernel forbids tracing: who or
   what does, and what helps).

   From here to lp_target_free this process's own signals are the target's.  It
   does not die of what a terminal sends to both: SIGINT and SIGQUIT are the
   program's; a stop (^Z) stops us when it stopped the program.  SIGINT, SIGQUIT,
   SIGTERM, SIGHUP and SIGTSTP that somebody sends to this process alone are sent
   on to the program.

   The calling thread's children are waited for here, all of them: it should have
   no others.

   A tracer that is killed lets its program run on, with the int3s that are in
   it; so nothing asks the kernel to kill the program then.  A signal that was to
   come at our parent's death (PR_SET_PDEATHSIG) does not come any more; on attach
   it becomes SIGTERM, which ends the run.  */
lp_target *lp_target_launch (const lp_launch *launch, lp_error *err);
/* Let the program and all its processes run to their end, calling HOOKS.  Sets
   *STATUS to the first process's status as waitpid(2) gives it.  Children that
   outlive the first process are waited for; SIGINT, SIGTERM or SIGHUP then lets
   them go.  0, or -1 with ERR after the program was let go (it then runs on
   untraced).  */
int lp_target_run (lp_target *target, const lp_hooks *hooks, int *status,
		   lp_error *err);
/* Let go of what still runs, release everything.  A program that was launched
   and never run is killed: it has not executed anything.  */
void lp_target_free (lp_target *target);
/* The first process's pid; 0 after its end.  */
pid_t lp_target_pid (const lp_target *target);

/* self.c: this process itself, which nobody traces: its memory can be read and
   written, its objects listed, system calls are made by the calling thread.
   Nothing is stopped, and there are no hooks.  NULL with LP_ETARGET,
   LP_ENOMEM.  */
lp_process *lp_process_self (lp_error *err);
void lp_process_self_free (lp_process *proc);

/* standstill.c: call WORK while all other threads of this process are stopped: the N
   in TIDS, whose registers can be read and written then.  The program's signals and
   system calls do not notice, but for a relative timeout of one that never is
   restarted (epoll_wait), which begins anew.  WORK runs in this process's memory
   in another process: it allocates nothing, takes no lock, and does not rely on
   getpid.  Returns what it does; -1 with LP_EUNSUPPORTED, and WORK was not called:
   the kernel forbids it, or a thread does not stop in a second.  */
typedef int lp_standstill_work (void *arg, const pid_t *tids, size_t n,
				lp_error *err);
int lp_standstill (lp_standstill_work *work, void *arg, lp_error *err);
/* Is this process valgrind's?  It refuses to make a child that shares memory.  */
bool lp_under_valgrind (void);
/* From WORK: lp_thread_step for one of these threads.  */
int lp_standstill_step (lp_process *self, pid_t tid, lp_error *err);

pid_t lp_process_pid (const lp_process *proc);
/* The owner's own pointer for a process.  */
void *lp_process_data (const lp_process *proc);
void lp_process_set_data (lp_process *proc, void *data);
/* Is the launch's preload object in its image?  Known from `loaded` on; false
   in static programs, in those that gain privileges by exec, and where the
   object cannot be opened by the process (another root, other rights).  */
bool lp_process_has_preload (const lp_process *proc);
/* The upper end of the stack that it began on; 0: not known.  */
uint64_t lp_process_stack_end (const lp_process *proc);
/* Do seccomp filters that we are not under confine it?  Then a system call made
   in it might be its death, and lp_remote_syscall refuses.  */
bool lp_process_confined (lp_process *proc);

/* Memory; works on read-only and execute-only pages.  0, or -1 naming the
   address.  */
int lp_process_read (lp_process *proc, uint64_t addr, void *buf, size_t n,
		     lp_error *err);
int lp_process_write (lp_process *proc, uint64_t addr, const void *buf,
		      size_t n, lp_error *err);

/* Registers of a stopped thread.  */
int lp_thread_get_regs (pid_t tid, struct user_regs_struct *regs,
			lp_error *err);
int lp_thread_set_regs (pid_t tid, const struct user_regs_struct *regs,
			lp_error *err);

/* The name of thread TID of process PID, cut to SIZE; left alone when there is no
   such thread.  */
void lp_thread_name (pid_t pid, pid_t tid, char *name, size_t size);

/* Run one system call in the stopped thread TID, through a `syscall`
   instruction that the process already has; all registers, orig_rax among
   them, are as before afterwards.  *RESULT is the kernel's (-errno on
   failure).  0, or -1 when the call could not be made: the process ended or is
   confined, the thread waits in vfork or is about to get a signal.  */
int lp_remote_syscall (lp_process *proc, pid_t tid, long nr,
		       const uint64_t args[6], int64_t *result, lp_error *err);

/* Shared memory of SIZE bytes (sparse; a memfd made in the process, leaving no
   descriptor in it): mapped in the process at HINT (0: anywhere) with PROT, and
   here readable and writable at *LOCAL.  The mapping is shared with forks.
   *REMOTE is its run-time address.  *FD (may be NULL) is a descriptor of it
   here.  -1 with LP_ETARGET.  */
int lp_map_shared (lp_process *proc, pid_t tid, size_t size, uint64_t hint,
		   int prot, void **local, uint64_t *remote, int *fd,
		   lp_error *err);

/* Shared memory of SIZE bytes that no process has yet, readable and writable here at
   *LOCAL.  Returns its descriptor, or -1.  */
int lp_share_make (size_t size, void **local, lp_error *err);
/* Map it in PROC, stopped at TID, at HINT with PROT.  -1: that cannot be (PROC is in
   a container, or HINT is in use); lp_map_shared may be able to.  */
int lp_share_map (lp_process *proc, pid_t tid, int fd, size_t size,
		  uint64_t hint, int prot);

/* As lp_map_shared, readable and writable, for up to SIZE bytes, of which the process has
   only the FIRST yet, in a place where it may grow.  The file is empty: the caller
   gives it its size (ftruncate *FD) before anything is used.  */
int lp_map_growing (lp_process *proc, pid_t tid, size_t size, size_t first,
		    void **local, uint64_t *remote, int *fd, lp_error *err);
/* Let PROC have at least SIZE bytes of that which is mapped at REMOTE.  -1 with
   LP_ETARGET: the process put something there, is confined, or has a limit.  */
int lp_grow_mapping (lp_process *proc, pid_t tid, uint64_t remote, size_t size,
		     lp_error *err);
/* How many bytes PROC has of it: 0 when nothing is mapped at REMOTE.  */
size_t lp_mapping_size (lp_process *proc, uint64_t remote);

/* Take such a mapping out of the process again, and unmap it here (LOCAL NULL:
   not here).  */
int lp_unmap_shared (lp_process *proc, pid_t tid, void *local, uint64_t remote,
		     size_t size, lp_error *err);

/* Give the pages of [ADDR, ADDR + SIZE) of the process the rights PROT.  */
int lp_protect (lp_process *proc, pid_t tid, uint64_t addr, uint64_t size,
		int prot, lp_error *err);

/* A free run-time place of SIZE bytes from which every address in [LO, HI) can
   be reached with a signed 32-bit displacement, and that leaves room for the
   heap to grow.  0 with *ADDR, or -1.  */
int lp_find_gap (lp_process *proc, uint64_t lo, uint64_t hi, uint64_t size,
		 uint64_t *addr, lp_error *err);

/* Of the free pages at FIRST to LAST (both of pages), the one next to the middle; not
   where the heap will soon be.  0 with *ADDR, or -1.  */
int lp_find_page (lp_process *proc, uint64_t first, uint64_t last,
		  uint64_t *addr, lp_error *err);

/* Map the page at ADDR in PROC, where nothing is mapped, to hold BYTES, a page of code.
   -1 with LP_ETARGET.  */
int lp_map_page (lp_process *proc, pid_t tid, uint64_t addr, const void *bytes,
		 lp_error *err);

/* The objects that the process has loaded now (from /proc/PID/maps), the
   executable first.  Valid until the next call for the same process.  */
int lp_process_modules (lp_process *proc, const lp_loaded **modules, size_t *n,
			lp_error *err);
/* The same of those, besides the executable, whose path is WANTED.  */
int lp_process_modules_like (lp_process *proc,
			     bool (*wanted) (void *arg, const char *path),
			     void *arg, const lp_loaded **modules, size_t *n,
			     lp_error *err);

/* Call FOUND with the path of each executable mapping of a file, of the process PID, which
   nobody has to trace.  Nothing where it is gone.  */
void lp_maps_each_code (pid_t pid, void (*found) (void *arg, const char *path),
			void *arg);

/* clone(2) of the C library itself.  ThreadSanitizer has one of its own under the public
   name, which takes a child that shares our memory for a fork.  */
int __clone (int (*function) (void *), void *stack, int flags, void *arg, ...);

/* Those that its loader knows, in the order in which it looks for symbols; none
   where it has no loader, or an unknown one.  */
int lp_process_scope (lp_process *proc, const lp_loaded **modules, size_t *n,
		      lp_error *err);

/* Stop this process as who gets SIGNAL and has no handler for it: that is what a shell
   is told.  Returns when it was continued.  */
void lp_stop_by (int signal);

#endif
