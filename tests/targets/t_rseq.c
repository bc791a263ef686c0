/* t_rseq.c: restartable sequences: an increment that is not atomic, of a counter that threads
   which share a processor share.  None may be lost.  t_rseq TIMES: so many in each
   thread.  */

#include <linux/rseq.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/rseq.h>

enum { THREADS = 4, CPUS = 1024 };
static int times;

static struct
{
  long n;
  char space[56];
} counters[CPUS];

/* One more on the processor CPU; 0 where the thread is not, or was not all the time.  */
__attribute__ ((noinline)) static int
add_on (struct rseq *self, unsigned cpu)
{
  __asm__ goto (
    ".pushsection __rseq_cs, \"aw\"\n\t.balign 32\n3:\n\t.long 0, 0\n\t"
    ".quad 1f, 2f - 1f, 4f\n\t.popsection\n\t"
    "lea 3b(%%rip), %%rax\n\tmov %%rax, %c[cs](%[self])\n"
    "1:\tcmp %[cpu], %c[id](%[self])\n\tjne %l[failed]\n\t"
    "mov (%[counter]), %%rax\n\tinc %%rax\n\t"
    "mov $500, %%ecx\n5:\tdec %%ecx\n\tjnz 5b\n\t"
    "mov %%rax, (%[counter])\n2:\n\t"
    ".pushsection .text.unlikely, \"ax\"\n\t"
    ".byte 0x0f, 0xb9, 0x3d\n\t.long 0x53053053\n"
    "4:\tjmp %l[failed]\n\t.popsection"
    : : [self] "r" (self), [cpu] "r" (cpu), [counter] "r" (&counters[cpu].n),
      [cs] "i" (offsetof (struct rseq, rseq_cs)),
      [id] "i" (offsetof (struct rseq, cpu_id))
    : "rax", "rcx", "memory", "cc" : failed);
  return 1;
failed:
  return 0;
}

static void *
work (void *arg)
{
  struct rseq *self = (struct rseq *) ((char *) __builtin_thread_pointer ()
				       + __rseq_offset);
  for (int i = 0; i < times; i++)
    {
      unsigned cpu = *(volatile unsigned *) &self->cpu_id_start;
      while (cpu >= CPUS || !add_on (self, cpu))
	cpu = *(volatile unsigned *) &self->cpu_id_start;
    }
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  long sum = 0;
  if (__rseq_size == 0)
    {
      puts ("no rseq");
      return 77;
    }
  times = argc > 1 ? atoi (argv[1]) : 1000;
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < CPUS; i++)
    sum += counters[i].n;
  printf ("%ld\n", sum);
  return sum != (long) THREADS * times;
}
