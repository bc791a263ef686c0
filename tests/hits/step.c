/* step.c: the slow and simple count of everything a program executes.

   usage: step OUT PROG [ARGS...]

   Runs PROG one instruction at a time from its entry point on, and writes to
   OUT a line "FROM TO COUNT" (hexadecimal addresses of the file, decimal
   count) for each pair of instructions of the executable that were executed
   one after the other.  FROM is 0 where the instruction before was in a
   library or the kernel.  Long ways through libraries run at full speed: the
   executable's text is not executable meanwhile, and the fault tells when it is
   entered again.  It knows nothing of lines, of the flow graph or of patches:
   it checks what does.  One thread only.  Exits as the program.  */

#define _GNU_SOURCE
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Steps outside of the executable before it is worth a system call.  */
enum { PATIENCE = 64 };

struct edge { uint64_t from, to, count; };

static struct edge *edges;
static size_t nslots = 1 << 16, nedges;

/* Text of the executable, file addresses, and where it was loaded.  */
static uint64_t text_lo = UINT64_MAX, text_hi, bias, entry;
static uint8_t *text;

static struct edge *
find_edge (uint64_t from, uint64_t to)
{
  size_t i = (from * 0x9e3779b97f4a7c15u ^ to * 0xc2b2ae3d27d4eb4fu) >> 20;
  for (i &= nslots - 1; edges[i].count; i = (i + 1) & (nslots - 1))
    if (edges[i].from == from && edges[i].to == to)
      break;
  return &edges[i];
}

static void
grow (void)
{
  struct edge *old = edges;
  size_t n = nslots;
  nslots = nedges ? nslots * 2 : nslots;
  edges = calloc (nslots, sizeof *edges);
  if (!edges)
    err (1, "edges");
  for (size_t i = 0; nedges && i < n; i++)
    if (old[i].count)
      *find_edge (old[i].from, old[i].to) = old[i];
  free (old);
}

static void
count_edge (uint64_t from, uint64_t to)
{
  if (nedges * 2 >= nslots)
    grow ();
  struct edge *e = find_edge (from, to);
  nedges += !e->count;
  *e = (struct edge) { from, to, e->count + 1 };
}

/* The executable segments of PATH, as one piece.  */
static void
load_text (const char *path)
{
  int fd = open (path, O_RDONLY);
  Elf64_Ehdr eh;
  if (fd < 0 || pread (fd, &eh, sizeof eh, 0) != sizeof eh)
    err (1, "%s", path);
  Elf64_Phdr ph[64];
  size_t n = eh.e_phnum < 64 ? eh.e_phnum : 64;
  if (pread (fd, ph, n * sizeof *ph, eh.e_phoff) < 0)
    err (1, "%s", path);
  for (size_t i = 0; i < n; i++)
    if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_X)
      {
	text_lo = ph[i].p_vaddr;
	text_hi = text_lo + ph[i].p_filesz;
	text = malloc (ph[i].p_filesz);
	if (!text || pread (fd, text, ph[i].p_filesz, ph[i].p_offset) < 0)
	  err (1, "%s", path);
      }
  entry = eh.e_entry;
  close (fd);
}

/* A rep-prefixed string instruction traps once an iteration.  */
static bool
repeats (uint64_t addr)
{
  const uint8_t *p = text + (addr - text_lo);
  bool rep = false;
  while (*p == 0x66 || *p == 0xf2 || *p == 0xf3)
    rep |= *p++ != 0x66;
  if ((*p & 0xf0) == 0x40)
    p++;
  return rep && ((*p >= 0xa4 && *p <= 0xa7) || (*p >= 0xaa && *p <= 0xaf));
}

static uint64_t
program_counter (pid_t pid)
{
  return ptrace (PTRACE_PEEKUSER, pid,
		 offsetof (struct user_regs_struct, rip), 0);
}

/* Let the loader do its work at full speed: run to the entry point.  */
static void
run_to_entry (pid_t pid)
{
  char name[64];
  snprintf (name, sizeof name, "/proc/%d/auxv", (int) pid);
  int fd = open (name, O_RDONLY), status;
  uint64_t pair[2] = { 0 };
  while (read (fd, pair, sizeof pair) == sizeof pair && pair[0] != AT_ENTRY)
    ;
  close (fd);
  bias = pair[1] - entry;
  long word = ptrace (PTRACE_PEEKTEXT, pid, pair[1], 0);
  ptrace (PTRACE_POKETEXT, pid, pair[1], (word & ~0xffL) | 0xcc);
  ptrace (PTRACE_CONT, pid, 0, 0);
  waitpid (pid, &status, 0);
  if (!WIFSTOPPED (status) || program_counter (pid) != pair[1] + 1)
    errx (1, "the program did not come to its entry point");
  ptrace (PTRACE_POKETEXT, pid, pair[1], word);
  ptrace (PTRACE_POKEUSER, pid, offsetof (struct user_regs_struct, rip),
	  pair[1]);
}

/* Make PID, which is stopped, set the protection of the text, by a system call
   at the address SPOT outside of it.  */
static void
protect (pid_t pid, uint64_t spot, int prot)
{
  struct user_regs_struct saved, regs;
  int status;
  ptrace (PTRACE_GETREGS, pid, 0, &saved);
  long word = ptrace (PTRACE_PEEKTEXT, pid, spot, 0);
  regs = saved;
  regs.rip = spot;
  regs.rax = SYS_mprotect;
  regs.rdi = (text_lo & ~0xfffu) + bias;
  regs.rsi = text_hi - (text_lo & ~0xfffu);
  regs.rdx = prot;
  regs.orig_rax = -1;
  ptrace (PTRACE_POKETEXT, pid, spot, (word & ~0xffffL) | 0x050f); /* syscall */
  ptrace (PTRACE_SETREGS, pid, 0, &regs);
  ptrace (PTRACE_SINGLESTEP, pid, 0, 0);
  waitpid (pid, &status, 0);
  ptrace (PTRACE_GETREGS, pid, 0, &regs);
  if (regs.rax != 0)
    errx (1, "mprotect in the program failed");
  ptrace (PTRACE_POKETEXT, pid, spot, word);
  saved.orig_rax = -1;
  ptrace (PTRACE_SETREGS, pid, 0, &saved);
}

static bool
in_text (uint64_t addr)
{
  return addr >= text_lo && addr < text_hi;
}

/* Let PID run until it comes to the text again.  Its wait status.  */
static int
run_outside (pid_t pid)
{
  uint64_t spot = program_counter (pid);
  int status, signal = 0;
  protect (pid, spot, PROT_READ);
  for (;;)
    {
      ptrace (PTRACE_CONT, pid, 0, signal);
      if (waitpid (pid, &status, 0) != pid || !WIFSTOPPED (status))
	return status;
      signal = WSTOPSIG (status);
      if (signal == SIGSEGV && in_text (program_counter (pid) - bias))
	break;
    }
  protect (pid, spot, PROT_READ | PROT_EXEC);
  return status;
}

/* One instruction of PID, which gets *SIGNAL.  Its wait status.  */
static int
step_one (pid_t pid, int *signal)
{
  int status;
  ptrace (PTRACE_SINGLESTEP, pid, 0, *signal);
  waitpid (pid, &status, 0);
  *signal = WIFSTOPPED (status) && WSTOPSIG (status) != SIGTRAP
	    ? WSTOPSIG (status) : 0;
  return status;
}

/* Step PID to its end; its wait status.  */
static int
step_all (pid_t pid)
{
  uint64_t from = 0;
  int signal = 0, outside = 0, status;
  do
    {
      uint64_t to = program_counter (pid) - bias;
      outside = in_text (to) ? 0 : outside + 1;
      if (outside)
	to = 0;
      else if (!(to == from && repeats (to)))
	count_edge (from, to);
      from = to;
      if (outside > PATIENCE && signal == 0)
	status = run_outside (pid), outside = 0;
      else
	status = step_one (pid, &signal);
    }
  while (WIFSTOPPED (status));
  return status;
}

static void
write_edges (const char *path)
{
  FILE *out = fopen (path, "w");
  if (!out)
    err (1, "%s", path);
  for (size_t i = 0; i < nslots; i++)
    if (edges[i].count)
      fprintf (out, "%" PRIx64 " %" PRIx64 " %" PRIu64 "\n", edges[i].from,
	       edges[i].to, edges[i].count);
  if (fclose (out))
    err (1, "%s", path);
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    errx (1, "usage: step OUT PROG [ARGS...]");
  load_text (argv[2]);
  grow ();
  pid_t pid = fork ();
  if (pid == 0)
    {
      ptrace (PTRACE_TRACEME, 0, 0, 0);
      execv (argv[2], argv + 2);
      err (127, "%s", argv[2]);
    }
  int status;
  if (pid < 0 || waitpid (pid, &status, 0) != pid || !WIFSTOPPED (status))
    errx (1, "%s: cannot be run", argv[2]);
  run_to_entry (pid);
  status = step_all (pid);
  write_edges (argv[1]);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
