/* fuzz_clone.c: libFuzzer's target for the decoder, the flow graph, the sites and
   the cloner.  The input is a function's bytes; it is planned and cloned without
   probes, and the clone, read again by a walk of its own, has to be the original,
   instruction by instruction, with every branch and operand leading where it led.
   Then it is cloned with a probe on each instruction, which has to fit.  What is
   patched stays inside the function and is written once.  */

#include <elf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/clone.h"
#include "probe/places.h"

enum { TEXT = 0x1000, MAX = 4096, NOPS = 16 };

static const uint64_t bias = 0x555555554000, area = 0x555555754000;

#define CHECK(cond, in)							\
  ((cond) ? (void) 0							\
   : (fprintf (stderr, "%s:%d: %s, instruction at %#lx\n", __FILE__,	\
	       __LINE__, #cond, (unsigned long) (in)->addr), abort ()))

/* The bytes as a file: one segment of code, padding behind it.  */
static lp_module *
make_module (const uint8_t *bytes, size_t n, int *fd)
{
  static uint8_t file[TEXT + MAX + NOPS];
  char path[64];
  lp_error e = { 0 };
  Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
				 EV_CURRENT },
		    .e_type = ET_DYN, .e_machine = EM_X86_64,
		    .e_version = EV_CURRENT, .e_phoff = sizeof eh,
		    .e_ehsize = sizeof eh, .e_phentsize = sizeof (Elf64_Phdr),
		    .e_phnum = 1, .e_entry = TEXT };
  Elf64_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		    .p_filesz = TEXT + n + NOPS, .p_memsz = TEXT + n + NOPS,
		    .p_align = 4096 };
  memcpy (file, &eh, sizeof eh);
  memcpy (file + sizeof eh, &ph, sizeof ph);
  memcpy (file + TEXT, bytes, n);
  memset (file + TEXT + n, 0x90, NOPS);
  *fd = memfd_create ("fuzz", 0);
  if (*fd < 0 || write (*fd, file, ph.p_filesz) != (ssize_t) ph.p_filesz)
    err (1, "memfd");
  snprintf (path, sizeof path, "/proc/self/fd/%d", *fd);
  lp_module *mod = lp_module_open (path, &e);
  if (!mod)
    errx (1, "%s", e.text);
  return mod;
}

/* Reading the clone again.  */

struct reader
{
  const lp_text *text;
  const lp_plan *plan;
  const lp_module *mod;
  uint64_t *at;			/* where each instruction's clone begins */
};

static const uint8_t *
code (const struct reader *r, uint64_t addr)
{
  return r->text->code.buf + (addr - r->text->code.base);
}

static int32_t
rel32 (const uint8_t *p)
{
  int32_t rel;
  memcpy (&rel, p, 4);
  return rel;
}

/* Where an instruction that leads to the file address TARGET has to lead: into
   the clone, or to what is outside.  */
static bool
leads_to (const struct reader *r, uint64_t where, uint64_t target)
{
  long i = lp_flow_find (&r->plan->flow, target);
  return where == (i >= 0 ? r->at[i] : target + bias);
}

/* Bytes of the code that pushes a return address.  */
static unsigned
push_length (void)
{
  uint8_t scratch[64];
  lp_text text = { .code = { .buf = scratch, .cap = sizeof scratch } };
  lp_clone_push (&text, 0);
  return text.code.n;
}

/* Bytes of the clone of instruction I.  */
static unsigned
clone_length (const struct reader *r, uint32_t i)
{
  const lp_insn *in = &r->plan->flow.insns.v[i];
  switch (in->kind)
    {
    case LP_INSN_JMP: case LP_INSN_CALL:
      return 5 + (r->plan->away[i] ? push_length () : 0);
    case LP_INSN_CALL_IND:
      return 5;
    case LP_INSN_JCC: case LP_INSN_XBEGIN:
      return 6;
    case LP_INSN_LOOP:
      return in->len + 7;
    default:
      return in->len;
    }
}

static bool
ends (const lp_insn *in)
{
  return in->kind == LP_INSN_JMP || in->kind == LP_INSN_JMP_IND
	 || in->kind == LP_INSN_RET || in->kind == LP_INSN_STOP
	 || in->kind == LP_INSN_CALL || in->kind == LP_INSN_CALL_IND;
}

/* The conditional branch that leaves goes through a stub that jumps on.  */
static uint64_t
through_stub (const struct reader *r, uint64_t where, uint64_t target)
{
  const uint8_t *p = code (r, where);
  if (lp_flow_find (&r->plan->flow, target) >= 0)
    return where;
  return p[0] == 0xe9 ? where + 5 + rel32 (p + 1) : 0;
}

static void
check_branch (const struct reader *r, const lp_insn *in, const uint8_t *p,
	      uint64_t here)
{
  const uint8_t *c = code (r, here);
  unsigned op = in->opcode_off;
  if (in->kind == LP_INSN_JMP)
    {
      CHECK (c[0] == 0xe9, in);
      CHECK (leads_to (r, here + 5 + rel32 (c + 1), in->target), in);
      return;
    }
  unsigned n = in->kind == LP_INSN_LOOP ? in->len + 7u : 6;
  uint64_t to = here + n + rel32 (c + n - 4);
  if (in->kind == LP_INSN_JCC)
    {
      unsigned cc = p[op] == 0x0f ? p[op + 1] : p[op];
      CHECK (c[0] == 0x0f && c[1] == (0x80 | (cc & 15)), in);
    }
  else if (in->kind == LP_INSN_XBEGIN)
    {
      CHECK (c[0] == 0xc7 && c[1] == 0xf8, in);
      CHECK (leads_to (r, to, in->target), in);
      return;
    }
  else
    CHECK (memcmp (c, p, in->len - 1) == 0 && c[in->len - 1] == 2
	   && c[in->len] == 0xeb && c[in->len + 1] == 5
	   && c[in->len + 2] == 0xe9, in);
  CHECK (leads_to (r, through_stub (r, to, in->target), in->target), in);
}

static void
check_copy (const struct reader *r, const lp_insn *in, const uint8_t *p,
	    uint64_t here)
{
  const uint8_t *c = code (r, here);
  unsigned hole = in->rip_off ? in->rip_off : in->len;
  CHECK (memcmp (c, p, hole) == 0, in);
  if (!in->rip_off)
    return;
  CHECK (memcmp (c + hole + 4, p + hole + 4, in->len - hole - 4) == 0, in);
  uint64_t was = in->addr + in->len + (int64_t) rel32 (p + hole) + bias;
  CHECK (here + in->len + (int64_t) rel32 (c + hole) == was, in);
}

static void
check_insn (const struct reader *r, uint32_t i)
{
  uint64_t avail;
  const lp_insn *in = &r->plan->flow.insns.v[i];
  const uint8_t *p = lp_module_bytes (r->mod, in->addr, &avail);
  const uint8_t *c = code (r, r->at[i]);
  switch (in->kind)
    {
    case LP_INSN_JMP: case LP_INSN_JCC: case LP_INSN_LOOP: case LP_INSN_XBEGIN:
      check_branch (r, in, p, r->at[i]);
      break;
    case LP_INSN_CALL: case LP_INSN_CALL_IND:
      if (r->plan->away[i])
	break;
      CHECK (c[0] == 0xe9, in);
      CHECK (r->at[i] + 5 + rel32 (c + 1) == in->addr + bias, in);
      break;
    default:
      check_copy (r, in, p, r->at[i]);
    }
}

/* An indirect call away from home has a length of its own: such clones are left
   out.  */
static bool
is_plain (const lp_plan *plan)
{
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    if (plan->away[i] && plan->flow.insns.v[i].kind == LP_INSN_CALL_IND)
      return false;
  return true;
}

/* The entry probe without times, and perhaps the jump to the entry.  */
static uint64_t
begin_of (const struct reader *r)
{
  uint8_t scratch[64];
  lp_asm a = { .buf = scratch, .cap = sizeof scratch, .base = area };
  lp_emit_entry (&a, &r->text->env, r->plan->func_cell, 0);
  return r->text->code.base + a.n;
}

static void
check_clone (const lp_text *text, const lp_module *mod, const lp_plan *plan)
{
  size_t n = plan->flow.insns.n;
  struct reader r = { text, plan, mod, calloc (n + 1, sizeof *r.at) };
  uint64_t here = begin_of (&r);
  for (uint32_t i = 0; i < n; i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      r.at[i] = here;
      here += clone_length (&r, i);
      if (i + 1 == n && !ends (in))
	here += 5;
    }
  CHECK (here <= text->code.base + text->code.n, &plan->flow.insns.v[0]);
  for (uint32_t i = 0; i < n; i++)
    check_insn (&r, i);
  free (r.at);
}

/* Patches.  */

static void
check_patches (const lp_text *text, const lp_plan *plan, size_t size)
{
  static uint8_t written[MAX + NOPS];
  memset (written, 0, sizeof written);
  for (size_t i = 0; i < text->patches.n; i++)
    {
      const lp_patch *patch = &text->patches.v[i];
      uint64_t at = patch->addr - bias - TEXT;
      CHECK (at + patch->len <= size + NOPS, plan->flow.insns.v);
      for (unsigned k = 0; k < patch->len; k++)
	CHECK (written[at + k]++ == 0, plan->flow.insns.v);
    }
  for (size_t i = 0; i < plan->flow.insns.n && plan->engine == LP_PLAN_CLONE;
       i++)
    {
      const lp_insn *in = &plan->flow.insns.v[i];
      bool call = in->kind == LP_INSN_CALL || in->kind == LP_INSN_CALL_IND;
      for (unsigned k = 0; call && !plan->away[i] && k < in->len; k++)
	CHECK (written[in->addr - TEXT + k] == written[in->addr - TEXT], in);
    }
}

static void
emit_and_check (const lp_module *mod, const lp_plan *plan, size_t size,
		bool bare)
{
  lp_error e = { 0 };
  size_t cap = lp_clone_size (plan);
  lp_text text = { .code = { .buf = malloc (cap), .cap = cap, .base = area },
		   .bias = bias,
		   .env = { .slot = -8, .timed = !bare, .thunk_entry = area - 64,
			    .thunk_exit = area - 64, .thunk_resync = area - 64 } };
  int bad = lp_clone_emit (&text, mod, plan, &e);
  if (bad && strstr (e.text, "is full"))
    CHECK (!"the clone is larger than lp_clone_size says",
	   plan->flow.insns.v);
  if (!bad)
    check_patches (&text, plan, size);
  if (!bad && bare && plan->engine == LP_PLAN_CLONE && is_plain (plan))
    check_clone (&text, mod, plan);
  free (text.code.buf);
  lp_text_free (&text);
}

/* A probe on each instruction.  */
static void
widen (const lp_census *census, lp_plan *plan)
{
  lp_error e;
  plan->hits.counters.n = plan->hits.marks.n = plan->sites.n = 0;
  memset (plan->away, 0, plan->flow.insns.n);
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    {
      uint64_t addr = plan->flow.insns.v[i].addr;
      if (lp_vec_push (&plan->hits.counters, (lp_counter) { addr, 0 })
	  || lp_vec_push (&plan->hits.marks, (lp_mark) { addr, 0, true }))
	errx (1, "out of memory");
    }
  if (plan->engine == LP_PLAN_CLONE && lp_plan_sites (census, plan, &e))
    errx (1, "%s", e.text);
}

static void
plan_and_clone (lp_module *mod, size_t size)
{
  static struct lp_decoder *decoder;
  lp_error e = { 0 };
  lp_range range = { TEXT, TEXT + size };
  lp_row row = { .addr = TEXT, .line = 1, .is_stmt = true };
  lp_function fn = { .name = "fuzz", .line = 1, .entry = TEXT,
		     .ranges = &range, .nranges = 1, .rows = &row, .nrows = 1 };
  lp_function *functions = &fn;
  lp_census census;
  lp_plan plan;
  uint32_t end = 1 << 20;
  decoder = decoder ? decoder : lp_decoder_new (&e);
  if (!decoder || lp_census_take (mod, &functions, 1, &census, &e)
      || lp_plan_function (&census, &fn, decoder, false, &plan, &e))
    errx (1, "%s", e.text);
  if (plan.engine != LP_PLAN_NONE)
    {
      plan.hits.counters.n = plan.hits.marks.n = 0;
      lp_plan_place (&plan, &end);
      emit_and_check (mod, &plan, size, true);
      widen (&census, &plan);
      lp_plan_place (&plan, &end);
      if (plan.engine != LP_PLAN_NONE)
	emit_and_check (mod, &plan, size, false);
    }
  lp_plan_free (&plan);
  lp_census_free (&census);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd;
  if (size == 0 || size > MAX)
    return 0;
  lp_module *mod = make_module (data, size, &fd);
  plan_and_clone (mod, size);
  lp_module_close (mod);
  close (fd);
  return 0;
}
