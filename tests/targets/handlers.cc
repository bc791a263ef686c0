// handlers.cc: what signal handlers see of the profiled code that they interrupt,
// and what they do to it; argv[1] names a case.  Linked with -rdynamic, so that
// functions have names.

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {

// The name of the function at PC, and how far in.
static const char *
name_of (void *pc, long *offset)
{
  Dl_info info;
  if (!dladdr (pc, &info) || !info.dli_sname)
    return "?";
  *offset = (char *) pc - (char *) info.dli_saddr;
  return info.dli_sname;
}

// Frames from the interrupted function on, up to main.
static int
trace (void **pcs)
{
  int n = backtrace (pcs, 64);
  return n;
}

static void
show (int sig, siginfo_t *info, ucontext_t *uc)
{
  void *pcs[64];
  long offset = 0;
  void *rip = (void *) uc->uc_mcontext.gregs[REG_RIP];
  const char *name = name_of (rip, &offset);
  std::printf ("signal %d code %d at %s+%ld, si_addr is rip %d\n", sig,
	       info->si_code, name, offset, info->si_addr == rip);
  for (int i = 1, n = trace (pcs); i < n; i++)
    {
      name = name_of (pcs[i], &offset);
      std::printf ("  %s\n", name);
      if (std::strcmp (name, "main") == 0)
	break;
    }
}

static sigjmp_buf out;
static volatile int mode, seen, lost;
static int *volatile nowhere;

enum { JUMPS = 1, SKIPS, FIXES, THROWS };

void
handler (int sig, siginfo_t *info, void *context)
{
  ucontext_t *uc = (ucontext_t *) context;
  if (seen++ == 0)
    show (sig, info, uc);
  if (mode == JUMPS)
    siglongjmp (out, 1);
  else if (mode == SKIPS)
    uc->uc_mcontext.gregs[REG_RIP] += 2;	// ud2, or movb of rcx to (rax)
  else if (mode == FIXES)
    uc->uc_mcontext.gregs[REG_RAX] = (greg_t) &lost;
  else if (mode == THROWS)
    throw std::runtime_error ("from a handler");
}

int
inner (int n)				// HITS 100
{
  int x = n * 3;			// HITS 100
  *nowhere = x;				// HITS 100
  return x + 1;				// HITS 0
}

int
outer (int n)				// HITS 100
{
  int r = inner (n);			// HITS 100
  return r;				// HITS 0
}

// Faults go on behind the instruction that faulted.
int
illegal (int n)
{
  n++;
  asm volatile ("ud2");
  n += 2;
  asm volatile ("movb %%cl, (%%rax)" : : "a" (nullptr), "c" (n));
  n += 3;
  return n;
}

// The instruction is done again, with another address.
int
fixed (int n)
{
  asm volatile ("movl %%ecx, (%%rax)" : : "a" (nullptr), "c" (n) : "memory");
  return n + lost;
}

int
divides (int n, int by)
{
  n += 7;
  return n / by;
}

static volatile int sum;

int
spins (int n)
{
  for (int i = 0; i < n; i++)
    sum += i ^ n;
  return sum;
}

// Each of these traces must come down to main.
void
sample (int, siginfo_t *, void *)
{
  void *pcs[64];
  long offset;
  int n = trace (pcs), found = 0;
  for (int i = 0; i < n; i++)
    found |= std::strcmp (name_of (pcs[i], &offset), "main") == 0;
  seen++;
  lost += !found;
}

static void
on (int sig, void (*f) (int, siginfo_t *, void *))
{
  struct sigaction action = {};
  action.sa_sigaction = f;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction (sig, &action, nullptr);
}

int
catches (int n)
{
  try
    {
      return outer (n);
    }
  catch (const std::exception &e)
    {
      return std::strlen (e.what ());
    }
}

static int cleaned;
struct guard { ~guard () { cleaned++; } };

static volatile int started;

// Cancelled in a function without clean-ups: elsewhere only calls have a landing
// pad.
static void
spins_on ()
{
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  started = 1;
  for (;;)
    spins (3);
}

static void *
cancelled (void *)
{
  guard g;
  spins_on ();
  return nullptr;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  volatile int r = 0;
  void *warm[4];
  backtrace (warm, 4);
  for (int sig : { SIGSEGV, SIGILL, SIGFPE, SIGBUS })
    on (sig, handler);
  if (!std::strcmp (what, "jumps"))
    {
      mode = JUMPS;
      for (volatile int i = 0; i < 100; i++)
	if (sigsetjmp (out, 1) == 0)
	  r += outer (i);
    }
  else if (!std::strcmp (what, "throws"))
    {
      mode = THROWS;
      for (int i = 0; i < 100; i++)
	r += catches (i);
    }
  else if (!std::strcmp (what, "skips"))
    {
      mode = SKIPS;
      for (int i = 0; i < 100; i++)
	r += illegal (i);
    }
  else if (!std::strcmp (what, "fixes"))
    {
      mode = FIXES;
      for (int i = 0; i < 100; i++)
	r += fixed (i);
    }
  else if (!std::strcmp (what, "divides"))
    {
      mode = JUMPS;
      if (sigsetjmp (out, 1) == 0)
	r += divides (argc, argc - 2);
    }
  else if (!std::strcmp (what, "samples"))
    {
      struct itimerval every = { { 0, 10000 }, { 0, 10000 } };
      on (SIGALRM, sample);
      setitimer (ITIMER_REAL, &every, nullptr);
      while (seen < 20)
	r |= spins (1000) & 0;
      every = {};
      setitimer (ITIMER_REAL, &every, nullptr);
      std::printf ("%d lost\n", lost);
    }
  else if (!std::strcmp (what, "cancels"))
    {
      for (int i = 0; i < 100; i++)
	{
	  pthread_t thread;
	  started = 0;
	  pthread_create (&thread, nullptr, cancelled, nullptr);
	  while (!started)
	    usleep (100);
	  usleep (i * 37);
	  pthread_cancel (thread);
	  pthread_join (thread, nullptr);
	}
      std::printf ("%d cleaned\n", cleaned);
    }
  else
    {
      signal (SIGSEGV, SIG_DFL);
      outer (3);
    }
  std::printf ("%d\n", r);
  return 0;
}
}
