/* internal.h: the structs of the target floor, and what its files offer each
   other.  Nobody outside lib/target/ includes this.

   One lp_target owns processes (lp_process, by pid) which own threads
   (lp_thread, by tid).  A process has one lp_image at a time: what exec put
   there, and what this floor keeps in it.  */

#ifndef LP_TARGET_INTERNAL_H
#define LP_TARGET_INTERNAL_H

#ifndef _GNU_SOURCE
# define _GNU_SOURCE		/* asprintf, memmem, strchrnul */
#endif

#include <signal.h>
#include <time.h>

#include "base/arena.h"
#include "target/target.h"

/* Where a thread is.  What may be done to it depends on how it stopped.  */
enum lp_stop
{
  LP_RUNNING,
  LP_IN_CALL,			/* in the middle of exec, fork or clone: the kernel still
				   has to write the call's result */
  LP_IN_VFORK,			/* the same, and then it waits for its child */
  LP_AFTER_CALL,		/* at the exit of a system call */
  LP_AT_SIGNAL,			/* a signal is about to be delivered */
  LP_AT_STOP			/* new, interrupted, or in a group-stop */
};

/* A signal frame whose program counter was replaced (handler.c).  */
typedef struct lp_moved
{
  uint64_t frame;		/* where it starts */
  uint64_t home, copy;		/* what the handler shall see; where the thread goes on */
  unsigned calls;		/* system calls made since */
} lp_moved;

/* The kernel's struct sigaction.  */
typedef struct lp_action
{
  uint64_t handler, flags, restorer, mask;
} lp_action;

enum { LP_MOST_MOVED = 4 };	/* at once, in one thread */

typedef struct lp_thread
{
  struct lp_thread *chain;	/* of the hash table */
  struct lp_thread *next;	/* of the process */
  lp_process *proc;		/* NULL: it stopped before its creator told about it */
  pid_t tid;
  pid_t ppid;			/* while proc is NULL: as /proc says */
  enum lp_stop stop;
  bool vfork_wait;		/* runs, and the kernel holds it until its child execs */
  bool group_stop;		/* at LP_AT_STOP: stopped by job control */
  int signal;			/* to deliver when it goes on */
  bool mask_known;		/* MASK is the program's (sigstate.c) */
  uint64_t mask;
  int setting;			/* the signal that its system call sets, and how */
  lp_action action;
  unsigned nmoved;		/* not 0: it stops at system calls */
  lp_moved moved[LP_MOST_MOVED];
} lp_thread;

typedef struct lp_breakpoint
{
  uint64_t addr;		/* 0: none */
  uint8_t byte;			/* what the int3 replaced */
} lp_breakpoint;

/* What the initial stack of a preloaded image needs to look untouched again.  */
typedef struct lp_entries
{
  uint64_t envp;		/* run-time address of the environment's pointers */
  uint64_t n;			/* how many the program shall see */
  uint64_t user;		/* index of its own LD_PRELOAD, or n without one */
  uint64_t user_string;		/* that entry's pointer */
  uint64_t string;		/* the pointer that was put there instead, or added */
} lp_entries;

typedef struct lp_image
{
  bool ready;			/* `loaded` was called for it */
  bool secure;			/* AT_SECURE */
  uint64_t stack_end;		/* AT_EXECFN, behind all that is on the first stack, or 0 */
  bool preload_asked, preloaded;
  bool one_state;		/* musl: no RT_ADD comes before RT_CONSISTENT */
  bool adding;			/* RT_ADD was seen */
  uint64_t ignored, blocked;	/* signals (bit N - 1) at exec */
  lp_action actions[2];		/* of SIGTRAP and SIGSEGV (sigstate.c) */
  uint64_t base, entry;		/* of the auxiliary vector; base is 0 without ld.so */
  uint64_t r_debug;		/* of ld.so */
  uint64_t syscall_insn, ret_insn; /* addresses of such instructions, or 0 */
  lp_breakpoint at_entry, at_debug_state;
  lp_entries entries;
} lp_image;

struct lp_process
{
  lp_process *next;
  lp_target *target;
  pid_t pid;
  void *data;
  lp_thread *threads;
  bool shares_memory;		/* runs in its parent's memory until it execs */
  bool pausing;			/* `paused' is to be called for it */
  bool leaving;			/* not followed: let go when it execs */
  bool self;			/* this process: nothing is traced (self.c) */
  int mem;			/* descriptor of /proc/PID/mem, or -1 */
  lp_image image;
  LP_VEC (lp_loaded) modules;
  lp_arena *paths;		/* of modules */
};

/* A status of waitpid that came while something else was waited for.  */
typedef struct lp_event
{
  pid_t tid;
  int status;
} lp_event;

/* A signal that somebody sent to this process and that the program gets, too,
   unless it turns out to have got it itself.  */
typedef struct lp_forward
{
  int signal;			/* 0: none */
  pid_t sender;
  int64_t due;			/* CLOCK_MONOTONIC, ns */
} lp_forward;

/* This process's own signals while it has a target.  */
typedef struct lp_signals
{
  bool taken;
  sigset_t set, old_mask;
  struct sigaction old_chld;
  bool stopping;		/* the terminal asked for a stop; the program decides */
  lp_forward forward;
  lp_forward seen;		/* the last one that reached the first process */
  lp_forward summons;		/* the last one that was the owner's, ... */
  bool summons_here;		/* ... and whether it came to us */
} lp_signals;

enum { LP_HASH = 1024 };

struct lp_target
{
  lp_process *processes;
  lp_thread *threads[LP_HASH];
  size_t early;			/* threads whose process is not known yet */
  LP_VEC (lp_event) events;	/* to handle before waiting for others */
  const lp_hooks *hooks;
  char *preload;		/* the path that the loader opens */
  char *preload_mapped;		/* the path that /proc/PID/maps shows for it */
  bool follow;
  bool attached;		/* the program ran before us and will after us */
  bool ran;			/* lp_target_run was called, or everything runs anyway */
  bool holding;			/* threads that stop stay stopped */
  bool letting_go;		/* lp_target_let_go was called */
  bool enough;			/* a second ^C: do not wait for those who remain */
  pid_t first;			/* 0 after its end */
  int64_t stood[2];		/* how long it stood still to begin and to end, ns */
  int status;			/* its status */
  int64_t began, stepping;	/* handler.c: since when, and how long for, in ns */
  bool failed;			/* ERROR ends the run */
  lp_error error;
  lp_signals signals;
};

/* table.c: who exists.  */
lp_process *lp_process_new (lp_target *target, pid_t pid);
lp_process *lp_process_find (lp_target *target, pid_t pid);
void lp_process_free (lp_process *proc);
/* A thread of PROC (NULL: not known yet), stopped at its birth.  NULL: out of
   memory.  */
lp_thread *lp_thread_new (lp_target *target, lp_process *proc, pid_t tid);
lp_thread *lp_thread_find (lp_target *target, pid_t tid);
void lp_thread_adopt (lp_thread *thread, lp_process *proc);
void lp_thread_free (lp_target *target, lp_thread *thread);
/* Some thread of PROC that is stopped, or NULL.  */
lp_thread *lp_process_stopped (lp_process *proc);

/* self.c: read (IN) or write (OUT, where IN is NULL) N bytes of this process, its code
   included, whoever of its threads, or who shares its memory, calls.  */
bool lp_self_access (uint64_t addr, void *in, const void *out, size_t n);

/* procfs.c: what /proc says.  */
/* The whole of the file NAME of PROC, read through a thread that lives; a NUL
   follows.  Free it.  NULL when it cannot be read.  */
char *lp_procfs_read (lp_process *proc, const char *name, size_t *size);
/* It returned NULL for WHAT: say so.  */
int lp_procfs_fail (const lp_process *proc, const char *what, lp_error *err);
/* The number behind FIELD ("TracerPid") of /proc/PID/status, or -1.  */
int64_t lp_procfs_status (pid_t pid, const char *field);
/* The 64 bits of FIELD ("SigIgn", of which signal 64 is the last), or 0.  */
uint64_t lp_procfs_mask (pid_t pid, const char *field);
/* Does PID run, or will it for one of SIGNALS, a mask as above?  */
bool lp_procfs_busy (pid_t pid, uint64_t signals);

/* One line of /proc/PID/maps.  */
typedef struct lp_mapping
{
  uint64_t lo, hi, offset;
  bool exec;
  const char *path;		/* "" without one */
} lp_mapping;

/* Take the next line of the maps at *TEXT, which moves on; its line end is
   overwritten.  False at the end.  */
bool lp_maps_next (char **text, lp_mapping *mapping);

/* gap.c */
/* A place in the widest free room of PROC, with SIZE bytes free behind it and
   room below the mappings that come after: there the kernel puts new ones.  */
int lp_find_wide_gap (lp_process *proc, uint64_t size, uint64_t *addr,
		      lp_error *err);

/* explain.c */
/* Fill ERR with why the kernel does not let us trace PID (0: any), ERRNUM
   being what ptrace said.  NAME says what was to be traced.  Returns -1.  */
int lp_explain_ptrace (const char *name, pid_t pid, int errnum, lp_error *err);

/* wait.c: waiting and resuming.  */
/* waitpid for TID (-1: any of ours), through interruptions.  */
pid_t lp_wait (pid_t tid, int *status, int flags);
/* Wait for the next report of TID, which may have been kept.  */
pid_t lp_wait_for (lp_target *target, pid_t tid, int *status);
/* The same for THREAD; its tid, or -1.  The first thread of a process that is
   killed has none until the others' ends were taken: what comes of others is kept.  */
pid_t lp_thread_wait (lp_thread *thread, int *status);
/* Keep an event for the loop.  */
int lp_event_keep (lp_target *target, pid_t tid, int status, lp_error *err);
/* Let THREAD go on as its state says: with its signal, or listening in its
   group-stop.  Nothing happens while the target is held.  */
void lp_thread_resume (lp_thread *thread);
/* When all threads of PROC are stopped before a signal, lp_process_able has none:
   let the first go on into its signal, up to its handler's first instruction.  True:
   that was done, and its stop is to be waited for.  */
bool lp_process_relieve (lp_process *proc);
/* Run THREAD to the exit of the system call that it is in.  0, or -1.  */
int lp_finish_call (lp_thread *thread, lp_error *err);
/* Resume THREAD until it enters or leaves a system call.  *STOPPED is set when
   job control stopped its process in between, and it did not wait for the end of
   that.  0, or -1 when it ended; that event is kept.  */
int lp_next_call_stop (lp_thread *thread, bool *stopped, lp_error *err);
int64_t lp_now (void);

/* step.c */
/* One instruction of THREAD, which is stopped; SIGNAL, where not 0, comes first.  0 with
   *STATUS as of its stop.  -1: it has ended; the loop will hear of it.  */
int lp_step_once (lp_thread *thread, int signal, int *status);
/* Whoever steps TID in PROC otherwise calls the one before, with SIGNAL as above, and
   the other behind.  */
typedef struct lp_step
{
  bool trap;			/* the program has the trap flag set behind it */
  bool handler;			/* it is the way into a signal's handler */
  bool pushes;			/* it is a pushf ... */
  uint64_t next, at;		/* ... with this instruction behind it, and there are the flags */
} lp_step;

void lp_step_begin (lp_process *proc, pid_t tid, int signal, lp_step *step);
void lp_step_end (lp_process *proc, pid_t tid, const lp_step *step);

/* dumpable.c */
/* Open the /proc files of PROC, which closed them itself.  True when it was done
   and lp_dumpable_forbid must follow.  */
bool lp_dumpable_allow (lp_process *proc);
void lp_dumpable_forbid (lp_process *proc);

/* remote.c */
/* Find an instruction for PROC's remote calls.  */
int lp_remote_prepare (lp_process *proc, lp_error *err);
/* A system call with STRING (at *ARG of ARGS, set here) placed below THREAD's
   stack for its time.  */
int lp_remote_with_string (lp_thread *thread, long nr, uint64_t args[6],
			   int arg, const char *string, int64_t *result,
			   lp_error *err);

/* breakpoint.c */
int lp_breakpoint_set (lp_process *proc, lp_breakpoint *bp, uint64_t addr,
		       lp_error *err);
int lp_breakpoint_clear (lp_process *proc, lp_breakpoint *bp, lp_error *err);
/* Undo what the kernel did to the mask and disposition of SIGNAL (SIGTRAP,
   SIGSEGV) when THREAD ran into what we put there while it was blocked or
   ignored.  INFO is what came with it, or NULL: only ours can have come.  */
int lp_forced_repair (lp_thread *thread, int signal, const siginfo_t *info,
		      lp_error *err);

/* sigstate.c: the state of these two signals, with the hooks' `exact'.  */
struct __ptrace_syscall_info;
/* THREAD is stopped and its mask is the program's.  */
void lp_sigstate_note (lp_thread *thread);
/* THREAD enters the system call of INFO; it has left one.  */
void lp_sigstate_enter (lp_thread *thread,
			const struct __ptrace_syscall_info *info);
void lp_sigstate_leave (lp_thread *thread);
/* THREAD is in its handler of SIGNAL.  */
void lp_sigstate_delivered (lp_thread *thread, int signal);
/* Does THREAD block SIGNAL, as far as is known?  Then only an int3 or a fault can
   have brought it.  */
bool lp_sigstate_blocks (const lp_thread *thread, int signal);
/* As lp_forced_repair; the mask is known.  */
int lp_sigstate_repair (lp_thread *thread, int signal, const siginfo_t *info,
			lp_error *err);
/* Give SIGNAL an action in THREAD's process.  */
int lp_sigstate_set (lp_thread *thread, int signal, lp_action action,
		     lp_error *err);
/* Learn the actions from THREAD's process, which ran before we came.  */
int lp_sigstate_read (lp_thread *thread, lp_error *err);

/* symbol.c */
/* The run-time address of the dynamic symbol NAME of the ELF object that is
   mapped at BASE.  0, or -1 when it has none.  */
int lp_remote_symbol (lp_process *proc, uint64_t base, const char *name,
		      uint64_t *addr);

/* stack.c: LD_PRELOAD in the initial stack.  */
/* Add the entry; REGS are THREAD's at its image's first instruction, rsp is
   changed.  Leaves everything alone where preloading would not work.  0, or -1
   on error.  */
int lp_stack_add_preload (lp_thread *thread, struct user_regs_struct *regs,
			  lp_error *err);
/* Take it out again.  */
int lp_stack_drop_preload (lp_process *proc, lp_error *err);

/* image.c: from exec to `loaded`.  */
/* THREAD is at an exec's event.  0, or -1 on error; the thread may go on.  */
int lp_image_start (lp_thread *thread, lp_error *err);
/* THREAD executed an int3 at REGS->rip - 1.  1: it was one of this floor's, it
   may go on with REGS; 0: not; -1: error.  */
int lp_image_trap (lp_thread *thread, struct user_regs_struct *regs,
		   lp_error *err);
/* Put an int3 where the loader of PROC tells what it does, if it has one.  */
int lp_image_watch_loader (lp_process *proc, lp_error *err);
/* Take this floor's breakpoints out of PROC's memory.  */
void lp_image_undo (lp_process *proc);

/* Learn what its auxiliary vector says, of a process that need not be traced.  */
bool lp_image_read (lp_process *proc);
/* All threads of PROC, which ran before, are stopped: learn what there is to know
   of its image.  */
int lp_image_attached (lp_process *proc, lp_error *err);

/* attach.c */
void lp_attached_start (lp_target *target);

/* birth.c: new threads and processes.  */
/* THREAD stopped at EVENT, a fork, vfork or clone.  */
int lp_birth (lp_thread *thread, int event, lp_error *err);
/* TID stopped, and nobody knows it yet.  */
int lp_birth_early (lp_target *target, pid_t tid, int status, lp_error *err);
/* PROC ends or execs: place those whose creator cannot tell any more.  */
int lp_birth_settle (lp_process *proc, lp_error *err);
/* Set the state of a thread that is new, was interrupted or came to a
   group-stop, from the STATUS of that stop.  */
void lp_stop_state (lp_thread *thread, int status);

/* handler.c: what signal handlers see.  */
/* THREAD stopped to get the signal of INFO, which is in THREAD->signal.  It may be
   delivered here: then that is 0, or THREAD runs.  */
void lp_handler_signal (lp_thread *thread, siginfo_t *info);
/* THREAD stopped at a system call.  */
void lp_handler_call (lp_thread *thread);
/* CHILD is a fork of CREATOR's, with a copy of its stack.  */
void lp_handler_inherit (lp_thread *child, const lp_thread *creator);

/* launch.c */
/* Call the owner's tick where *NEXT has come, and move that.  */
void lp_tick (lp_target *target, int64_t *next);
/* detached.c: let the program go and run to its end; NEXT is the next tick's time.  */
void lp_detached_run (lp_target *target, int64_t next);

/* event.c */
/* One status of waitpid.  */
void lp_handle (lp_target *target, pid_t tid, int status);
/* THREAD is at its exec's event: start its new image.  */
void lp_handle_exec (lp_thread *thread);

/* signals.c: this process's own signals.  */
void lp_signals_take (lp_target *target);
void lp_signals_give_back (lp_target *target);
/* Sleep until an event may be there, or until UNTIL (0: for ever).  */
void lp_signals_wait (lp_target *target, int64_t until);
/* The first process ended: forget what the terminal sent to both.  */
void lp_signals_forget (lp_target *target);
/* The first process was stopped by SIGNAL of job control, or (0) went on.  */
void lp_signals_stopped (lp_target *target, int signal);
/* Is the signal with INFO, which is about to be delivered to THREAD, the owner's?
   Then it was told.  */
bool lp_signals_summons (lp_thread *thread, const siginfo_t *info);
/* A signal with INFO is about to be delivered to the first process.  */
void lp_signals_seen (lp_target *target, const siginfo_t *info);

/* release.c: letting go.  */
void lp_release_all (lp_target *target);
/* Let go of PROC, all of whose threads are stopped, and forget it.  */
void lp_release (lp_process *proc);

#endif
