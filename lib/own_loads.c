/* own_loads.c: the loader's hook for debuggers.

   Behind its one instruction is the padding up to the next function: where that is
   long enough it takes a jump with an address of 64 bits.  Nobody executes the
   padding, so it is written first, and then the `ret' by its one byte: other threads
   may be there.  */

#define _GNU_SOURCE

#include "own_loads.h"

#include <errno.h>
#include <link.h>
#include <string.h>

enum { JUMP = 14, ENDBR = 4, RET = 0xc3 };

/* The loader's; musl calls its own otherwise.  */
extern struct r_debug _r_debug __attribute__ ((weak));

static uint64_t place;		/* where the jump stands; 0: nowhere */
static uint8_t before[JUMP];
static void (*tell) (bool consistent);

/* In place of the loader's function.  */
static void
on_change (void)
{
  int saved = errno;
  void (*to) (bool) = tell;
  if (to)
    to (_r_debug.r_state == RT_CONSISTENT);
  errno = saved;
}

/* The length of the no-operation at P as assemblers write them; 0: it is none.  */
static size_t
padding_length (const uint8_t *p)
{
  static const struct { uint8_t modrm, length; } forms[]
    = { { 0x00, 3 }, { 0x40, 4 }, { 0x44, 5 }, { 0x80, 7 }, { 0x84, 8 } };
  size_t n = 0;
  while (n < 8 && (p[n] == 0x66 || p[n] == 0x2e))
    n++;
  if (p[n] == 0x90)
    return n + 1;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (p[n] == 0x0f && p[n + 1] == 0x1f && p[n + 2] == forms[i].modrm)
      return n + forms[i].length;
  return 0;
}

/* Is CODE a `ret' with so much padding behind it that a jump has room?  */
static bool
has_room (const uint8_t *code)
{
  size_t n = 1, more = code[0] == RET;
  for (; more && n < JUMP; n += more)
    more = padding_length (code + n);
  return more != 0;
}

int
lp_own_loads_begin (lp_process *self, void (*changed) (bool consistent),
		    lp_error *err)
{
  uint8_t code[ENDBR + JUMP + 16], jump[JUMP] = { 0xff, 0x25 };
  uint64_t at = &_r_debug ? _r_debug.r_brk : 0;
  uint64_t target = (uintptr_t) on_change;
  if (!at || lp_process_read (self, at, code, sizeof code, NULL))
    return lp_fail (err, LP_EUNSUPPORTED, "the dynamic loader does not tell of "
		    "libraries that are loaded later; they are not profiled");
  size_t skip = memcmp (code, "\xf3\x0f\x1e\xfa", ENDBR) == 0 ? ENDBR : 0;
  if (!has_room (code + skip))
    return lp_fail (err, LP_EUNSUPPORTED, "the dynamic loader's _dl_debug_state is "
		    "not as expected (a debugger's breakpoint?); libraries that are "
		    "loaded later are not profiled");
  memcpy (jump + 6, &target, sizeof target);
  memcpy (before, code + skip, JUMP);
  tell = changed;
  if (lp_process_write (self, at + skip + 1, jump + 1, JUMP - 1, err)
      || lp_process_write (self, at + skip, jump, 1, err))
    return -1;
  place = at + skip;
  return 0;
}

void
lp_own_loads_end (lp_process *self)
{
  if (!place)
    return;
  lp_process_write (self, place, before, 1, NULL);
  lp_process_write (self, place + 1, before + 1, JUMP - 1, NULL);
  tell = NULL;
  place = 0;
}
