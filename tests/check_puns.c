/* check_puns.c: jumps that end in the bytes behind them, written over bytes of this very
   program; the decoder says where they lead.  */

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "probe/places.h"
#include "probe/puns.h"

enum { PAGE = 4096, TARGET = 0x1234567 };

/* Code whose bytes are known: 48 bytes, all different from jumps.  */
__asm__ (".text; .globl known_code; .type known_code, @function\n"
	 "known_code: .fill 16, 1, 0x31; .fill 16, 1, 0xc0; .fill 16, 1, 0x05\n"
	 ".size known_code, . - known_code");

static lp_module *mod;
static uint64_t known;		/* file address */
static lp_text text;
static uint64_t least;		/* pages below are in use */
static unsigned asked;

static void
setup (void)
{
  mod = lp_module_open ("/proc/self/exe", NULL);
  ck_assert_ptr_nonnull (mod);
  ck_assert_int_eq (lp_module_symbol (mod, "known_code", &known), 0);
  text = (lp_text) { .bias = UINT64_C (0x555500000000) };
  least = asked = 0;
}

static void
teardown (void)
{
  lp_text_free (&text);
  lp_module_close (mod);
}

static int
find (void *arg, uint64_t first, uint64_t last, uint64_t *page)
{
  (void) arg;
  asked++;
  *page = first > least ? first : least;
  return *page <= last ? 0 : -1;
}

static void
want (unsigned at, unsigned room)
{
  lp_pun pun = { .addr = known + text.bias + at, .target = TARGET + at,
		 .room = room };
  ck_assert_int_eq (lp_vec_push (&text.puns, pun), 0);
}

/* What stands at `known_code' + AT when TEXT's patches are in.  */
static void
patched (unsigned at, uint8_t bytes[16])
{
  uint64_t avail;
  memcpy (bytes, lp_module_bytes (mod, known + at, &avail), 16);
  for (size_t i = 0; i < text.patches.n; i++)
    for (unsigned k = 0; k < text.patches.v[i].len; k++)
      {
	uint64_t where = text.patches.v[i].addr + k - text.bias - known - at;
	if (where < 16)
	  bytes[where] = text.patches.v[i].new[k];
      }
}

/* The page that holds ADDR.  */
static const lp_page *
page_of (uint64_t addr)
{
  for (size_t i = 0; i < text.pages.n; i++)
    if (addr - text.pages.v[i].addr < PAGE)
      return &text.pages.v[i];
  ck_abort_msg ("no page at %#lx", (unsigned long) addr);
}

/* The pun at AT is a jump of LEN bytes, prefixes among them, to a jump to its target.  */
static void
check_leads (unsigned at, unsigned len)
{
  struct lp_decoder *decoder = lp_decoder_new (NULL);
  uint64_t addr = known + text.bias + at, word;
  uint8_t bytes[16];
  lp_insn in;
  patched (at, bytes);
  ck_assert_int_eq (lp_decode (decoder, bytes, sizeof bytes, addr, &in, NULL), 0);
  lp_decoder_free (decoder);
  ck_assert_int_eq (in.kind, LP_INSN_JMP);
  ck_assert_uint_eq (in.len, len);
  const lp_page *page = page_of (in.target);
  const uint8_t *slot = page->bytes + (in.target - page->addr);
  ck_assert_mem_eq (slot, "\x3e\xff\x25\0\0\0\0", 7);
  memcpy (&word, slot + 7, 8);
  ck_assert_uint_eq (word, TARGET + at);
  lp_places_sort_detours (&text);
  ck_assert_uint_eq (lp_places_home (&text, in.target), addr);
}

static void
place (void)
{
  ck_assert_int_eq (lp_puns_place (&text, mod, find, NULL), 0);
}

START_TEST (each_length)
{
  for (unsigned room = 1; room <= 4; room++)
    want (8 * room, room);	/* before 31 and c0, c0, 05 */
  place ();
  for (unsigned room = 1; room <= 4; room++)
    {
      ck_assert (text.puns.v[4 - room].placed);
      ck_assert_uint_eq (text.puns.v[4 - room].addr, known + text.bias + 8 * room);
      check_leads (8 * room, 5);
    }
  ck_assert_uint_eq (text.patches.n, 4);
}
END_TEST

/* What stands behind is what will stand there: a patch, or another pun.  */
START_TEST (what_is_behind_changes)
{
  static const uint8_t jump[] = { 0xe9, 1, 2, 3, 4 };
  ck_assert_int_eq (lp_clone_patch (&text, mod, known + 9, jump, sizeof jump), 0);
  want (7, 2);
  want (5, 2);
  want (4, 1);
  place ();
  for (size_t i = 0; i < 3; i++)
    ck_assert (text.puns.v[i].placed);
  check_leads (7, 5);
  check_leads (5, 5);
  check_leads (4, 5);
  for (size_t i = 1; i < text.patches.n; i++)
    ck_assert_uint_le (text.patches.v[i - 1].addr + text.patches.v[i - 1].len,
		       text.patches.v[i].addr);
}
END_TEST

/* The windows of 05 are in use, that of 31 is not.  */
START_TEST (no_page)
{
  text.bias = UINT64_C (0x10000);
  want (28, 4);
  want (11, 4);
  want (29, 3);
  least = UINT64_C (0x30000000);
  place ();
  ck_assert (text.puns.v[2].placed);
  check_leads (11, 5);
  ck_assert (!text.puns.v[0].placed && !text.puns.v[1].placed);
  ck_assert_uint_eq (text.patches.n, 1);
}
END_TEST

/* Behind it stand c0 05 05: that leads down, or, from one byte on, up.  */
START_TEST (a_prefix_helps)
{
  want (27, 4);
  least = known + text.bias;
  place ();
  ck_assert (text.puns.v[0].placed);
  check_leads (27, 6);
}
END_TEST

START_TEST (one_page_for_many)
{
  for (unsigned at = 0; at < 16; at += 4)
    want (16 + at, 4);
  place ();
  for (unsigned at = 0; at < 16; at += 4)
    check_leads (16 + at, 5);
  ck_assert_uint_le (text.pages.n, 2);
  ck_assert_uint_eq (asked, text.pages.n);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("puns");
  TCase *tcase = tcase_create ("puns");
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, each_length);
  tcase_add_test (tcase, what_is_behind_changes);
  tcase_add_test (tcase, no_page);
  tcase_add_test (tcase, a_prefix_helps);
  tcase_add_test (tcase, one_page_for_many);
  suite_add_tcase (suite, tcase);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
