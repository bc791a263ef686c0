/* aside.c: copying code as control reaches it.

   From the address where a thread stands, direct jumps are followed; a jump to
   what has a copy goes to the copy, any other goes home.  What is reached through
   a register, and each return, comes by its address at home and faults there:
   then it has a copy already, or gets one.  */

#include "probe/aside.h"

#include "probe/places.h"
#include "probe/trap.h"

/* A jump of the copies whose target may get a copy, too.  */
struct jump
{
  uint64_t end;			/* of its rel32 */
  uint64_t target;		/* at home */
};

struct work
{
  lp_aside *aside;
  lp_text *text;
  LP_VEC (uint64_t) todo;
  LP_VEC (struct jump) jumps;
  lp_error *err;
};

bool
lp_aside_is_closed (const lp_aside *aside, uint64_t addr)
{
  size_t lo = 0, hi = aside->pages.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (aside->pages.v[mid].hi <= addr)
	lo = mid + 1;
      else
	hi = mid;
    }
  return lo < aside->pages.n && aside->pages.v[lo].lo <= addr;
}

static uint64_t
copy_of (const struct work *w, uint64_t addr)
{
  int64_t at = lp_intmap_get (&w->aside->copies, addr);
  return at < 0 ? 0 : w->text->code.base + (uint64_t) at;
}

/* Does the instruction at ADDR need a copy that it has not got?  */
static bool
is_wanted (const struct work *w, uint64_t addr)
{
  return !copy_of (w, addr) && lp_aside_is_closed (w->aside, addr)
	 && !lp_trap_find (w->text, addr);
}

static int
add_jump (struct work *w, uint64_t target)
{
  struct jump jump = { lp_asm_here (&w->text->code), target };
  return lp_vec_push (&w->jumps, jump) || lp_vec_push (&w->todo, target)
	 ? lp_nomem (w->err) : 0;
}

/* Write the copy of IN, whose bytes are P.  *ON: it may fall through.  */
static int
write_one (struct work *w, const lp_insn *in, const uint8_t *p, bool *on)
{
  lp_text *text = w->text;
  lp_asm *a = &text->code;
  uint64_t target = in->target + text->bias;
  const uint8_t *op = p + in->opcode_off;
  *on = true;
  switch ((enum lp_insn_kind) in->kind)
    {
    case LP_INSN_PLAIN:
      lp_clone_copy (text, in, p);
      return 0;
    case LP_INSN_JCC:
      lp_asm_jcc (a, (op[0] == 0x0f ? op[1] : op[0]) & 15, target);
      return add_jump (w, target);
    case LP_INSN_JMP:
      *on = false;
      lp_asm_jmp (a, target);
      return add_jump (w, target);
    case LP_INSN_CALL:
      *on = false;
      lp_outofline_copy (text, in, p);
      return add_jump (w, target);
    default:
      *on = false;
      lp_outofline_copy (text, in, p);
      return 0;
    }
}

static int
decode_at (const struct work *w, uint64_t addr, const uint8_t **p, lp_insn *in)
{
  uint64_t avail, file = addr - w->text->bias;
  *p = lp_module_bytes (w->aside->mod, file, &avail);
  if (*p)
    return lp_decode (w->aside->decoder, *p, avail, file, in, w->err);
  return lp_fail (w->err, LP_EUNSUPPORTED, "there is no code at %#lx",
		  (unsigned long) file);
}

/* Copy the straight run from ADDR on.  What cannot be decoded is left for when
   control comes to it; FIRST says that it has.  The instruction that control has come to
   may begin before the pages.  */
static int
copy_run (struct work *w, uint64_t addr, bool first)
{
  bool on = true;
  lp_asm *a = &w->text->code;
  while (on && (first || is_wanted (w, addr)))
    {
      const uint8_t *p;
      lp_insn in;
      if (decode_at (w, addr, &p, &in))
	{
	  lp_asm_jmp (a, addr);
	  return first ? -1 : 0;
	}
      if (lp_intmap_put (&w->aside->copies, addr, a->n)
	  || lp_places_add (w->text, addr, lp_asm_here (a), 0))
	return lp_nomem (w->err);
      if (write_one (w, &in, p, &on))
	return -1;
      addr += in.len;
      first = false;
    }
  if (on)
    {
      lp_asm_jmp (a, addr);
      return add_jump (w, addr);
    }
  return 0;
}

static void
link_jumps (const struct work *w)
{
  for (size_t i = 0; i < w->jumps.n; i++)
    {
      uint64_t copy = copy_of (w, w->jumps.v[i].target);
      if (copy)
	lp_asm_fix (&w->text->code, w->jumps.v[i].end, copy);
    }
}

static int
copy_all (struct work *w, uint64_t addr)
{
  if (copy_run (w, addr, true))
    return -1;
  while (w->todo.n)
    {
      uint64_t next = w->todo.v[--w->todo.n];
      if (is_wanted (w, next) && copy_run (w, next, false))
	return -1;
    }
  link_jumps (w);
  if (w->text->code.full || w->text->code.far)
    return lp_fail (w->err, LP_EUNSUPPORTED, "no room for a copy of the code "
		    "at %#lx", (unsigned long) (addr - w->text->bias));
  return 0;
}

uint64_t
lp_aside_copy (lp_aside *aside, lp_text *text, uint64_t addr, lp_error *err)
{
  struct work w = { .aside = aside, .text = text, .err = err };
  int bad = copy_of (&w, addr) ? 0 : copy_all (&w, addr);
  lp_vec_free (&w.todo);
  lp_vec_free (&w.jumps);
  return bad ? 0 : copy_of (&w, addr);
}

void
lp_aside_free (lp_aside *aside)
{
  lp_vec_free (&aside->pages);
  lp_intmap_free (&aside->copies);
  lp_decoder_free (aside->decoder);
  *aside = (lp_aside) { .mod = NULL };
}
