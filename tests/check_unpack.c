/* check_unpack.c: inflating piece by piece, and units one by one, against what was
   deflated.  */

#include <check.h>
#include <isa-l/igzip_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debug/abbrevs.h"
#include "debug/unpack.h"

enum { ALL = 12 << 20, UNITS = 4000 };

static uint8_t *plain, *packed, *out;
static uint64_t starts[UNITS + 1];
static bool types[UNITS];
static size_t nplain, npacked, nunits;

/* A unit with the header of 32-bit or, WIDE, 64-bit DWARF.  */
static void
put_unit (size_t size, unsigned version, unsigned type, bool wide)
{
  uint32_t length = wide ? 0xffffffff : size - 4;
  uint64_t length64 = size - 12;
  size_t at = wide ? 12 : 4;
  uint8_t *p = plain + nplain;
  for (size_t i = 0; i < size; i++)
    p[i] = rand () % 7 * (rand () % 30);
  memcpy (p, &length, 4);
  if (wide)
    memcpy (p + 4, &length64, 8);
  p[at] = version, p[at + 1] = 0, p[at + 2] = type;
  types[nunits] = version == 5 && type == 2;
  starts[nunits++] = nplain;
  nplain += size;
}

static void
deflate_plain (void)
{
  struct isal_zstream stream;
  uint8_t *level = malloc (ISAL_DEF_LVL1_DEFAULT);
  isal_deflate_init (&stream);
  stream.gzip_flag = IGZIP_ZLIB;
  stream.end_of_stream = 1;
  stream.level = 1;
  stream.level_buf = level;
  stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
  stream.next_in = plain;
  stream.avail_in = nplain;
  stream.next_out = packed;
  stream.avail_out = 2 * ALL;
  ck_assert_int_eq (isal_deflate (&stream), COMP_OK);
  npacked = stream.total_out;
  free (level);
}

/* What is inflated has to be in a file: its pages are given back meanwhile.  */
static uint8_t *
fresh_file (size_t n)
{
  FILE *file = tmpfile ();
  ck_assert_ptr_nonnull (file);
  ck_assert_int_eq (ftruncate (fileno (file), n), 0);
  uint8_t *p = mmap (NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED,
		     fileno (file), 0);
  ck_assert_ptr_ne (p, MAP_FAILED);
  fclose (file);
  return p;
}

static void *
fresh (size_t n)
{
  void *p = mmap (NULL, n, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne (p, MAP_FAILED);
  return p;
}

static void
setup (void)
{
  srand (7);
  plain = fresh (2 * ALL);
  packed = fresh_file (2 * ALL);
  out = fresh (2 * ALL);
  nplain = nunits = 0;
  while (nplain < ALL && nunits < UNITS)
    put_unit (24 + rand () % (nunits % 9 == 0 ? 40000 : 2000), 4 + nunits % 2,
	      nunits % 51 == 0 ? 2 : 1, nunits % 5 == 0);
  starts[nunits] = nplain;
  deflate_plain ();
}

static void
teardown (void)
{
  munmap (plain, 2 * ALL);
  munmap (packed, 2 * ALL);
  munmap (out, 2 * ALL);
}

START_TEST (a_stream_is_inflated_in_pieces)
{
  lp_inflater *inflater = lp_inflater_new (packed, npacked, false), *copy = NULL;
  size_t at = 0, copied = 0;
  ck_assert_ptr_nonnull (inflater);
  while (at < nplain)
    {
      size_t n = rand () % 90000;
      if (n > nplain - at)
	n = nplain - at;
      if (!copy && at > nplain / 2)
	{
	  copy = lp_inflater_copy (inflater);
	  copied = at;
	}
      ck_assert_int_eq (lp_inflate (inflater, out + at, n), 0);
      at += n;
    }
  ck_assert_uint_eq (lp_inflater_at (inflater), nplain);
  ck_assert (lp_inflate_ends (inflater));
  ck_assert_int_eq (memcmp (out, plain, nplain), 0);
  ck_assert_int_eq (lp_inflate (copy, out, 5000), 0);
  ck_assert_int_eq (memcmp (out, plain + copied, 5000), 0);
  ck_assert_int_eq (lp_inflate_skip (copy, 100000), 0);
  ck_assert_int_eq (lp_inflate (copy, out, 9), 0);
  ck_assert_int_eq (memcmp (out, plain + copied + 105000, 9), 0);
  lp_inflater_free (copy);
  lp_inflater_free (inflater);
}
END_TEST

START_TEST (bad_streams_are_refused)
{
  lp_unpack unpack;
  for (size_t cut = 0; cut < 5; cut++)
    {
      lp_unpack_init (&unpack, packed, cut < 4 ? npacked * cut / 4 : npacked - 1,
		      out, nplain);
      ck_assert_int_eq (lp_unpack_heads (&unpack), -1);
      lp_unpack_free (&unpack);
      ck_assert_int_eq (lp_unpack_all (&unpack), -1);
    }
  packed[npacked - 2] ^= 1;	/* of the checksum */
  lp_unpack_init (&unpack, packed, npacked, out, nplain);
  ck_assert_int_eq (lp_unpack_heads (&unpack), -1);
  lp_unpack_free (&unpack);
  packed[npacked - 2] ^= 1;
  lp_unpack_init (&unpack, packed, npacked, out, nplain - 1);
  ck_assert_int_eq (lp_unpack_all (&unpack), -1);
}
END_TEST

static bool
is_there (size_t unit, size_t n)
{
  size_t size = starts[unit + 1] - starts[unit];
  return memcmp (out + starts[unit], plain + starts[unit],
		 size < n ? size : n) == 0;
}

START_TEST (units_are_inflated_when_read)
{
  lp_unpack unpack;
  lp_unpack_init (&unpack, packed, npacked, out, nplain);
  ck_assert_int_eq (lp_unpack_heads (&unpack), 0);
  ck_assert_uint_eq (unpack.units.n, nunits);
  ck_assert_uint_ge (unpack.marks.n, 3);
  size_t missing = 0;
  for (size_t i = 0; i < nunits; i++)
    {
      ck_assert (is_there (i, LP_UNIT_HEAD));
      missing += !is_there (i, SIZE_MAX);
      if (types[i])
	ck_assert (is_there (i, SIZE_MAX));
    }
  ck_assert_uint_gt (missing, nunits / 2);
  for (int round = 0; round < 200; round++)
    {
      size_t i = rand () % nunits;
      uint64_t inside = rand () % (starts[i + 1] - starts[i]);
      ck_assert_int_eq (lp_unpack_unit (&unpack, starts[i] + inside), 0);
      ck_assert (is_there (i, SIZE_MAX));
    }
  for (size_t i = 0; i < nunits; i++)
    ck_assert_int_eq (lp_unpack_unit (&unpack, starts[i]), 0);
  ck_assert_int_eq (memcmp (out, plain, nplain), 0);
  lp_unpack_free (&unpack);
}
END_TEST

static size_t nshown;

/* Each unit comes once, whole and in its order; every third is wanted.  */
static bool
show (void *arg, uint64_t offset, const uint8_t *p, size_t n)
{
  ck_assert_ptr_eq (arg, &nshown);
  ck_assert_uint_eq (offset, starts[nshown]);
  ck_assert_uint_eq (n, starts[nshown + 1] - starts[nshown]);
  ck_assert_int_eq (memcmp (p, plain + offset, n), 0);
  return nshown++ % 3 == 0;
}

START_TEST (units_are_shown_and_kept)
{
  lp_unpack unpack;
  nshown = 0;
  lp_unpack_init (&unpack, packed, npacked, out, nplain);
  unpack.look = show;
  unpack.look_arg = &nshown;
  ck_assert_int_eq (lp_unpack_begin (&unpack), 0);
  ck_assert_int_eq (lp_unpack_heads (&unpack), 0);
  ck_assert_uint_eq (nshown, nunits);
  for (size_t i = 0; i < nunits; i++)
    {
      bool whole = i % 3 == 0 || types[i] || starts[i + 1] - starts[i] <= LP_UNIT_HEAD;
      ck_assert (is_there (i, whole ? SIZE_MAX : LP_UNIT_HEAD));
      ck_assert_int_eq (unpack.units.v[i].whole, whole);
    }
  lp_unpack_free (&unpack);
}
END_TEST

/* Nobody may wait for a thread that is not there any more.  */
START_TEST (a_stream_can_be_left)
{
  for (int pieces = 0; pieces < 4; pieces++)
    {
      const uint8_t *p;
      lp_stream *stream = lp_stream_new (packed, npacked, nplain, NULL, 0);
      ck_assert_ptr_nonnull (stream);
      for (int i = 0; i < pieces; i++)
	ck_assert_int_gt (lp_stream_next (stream, &p), 0);
      lp_stream_close (stream);
    }
}
END_TEST

START_TEST (what_are_no_units_is_inflated_whole)
{
  uint32_t length = 3;
  lp_unpack unpack;
  memcpy (plain + starts[nunits / 2], &length, 4);
  deflate_plain ();
  lp_unpack_init (&unpack, packed, npacked, out, nplain);
  ck_assert_int_eq (lp_unpack_heads (&unpack), 0);
  ck_assert_int_eq (memcmp (out, plain, nplain), 0);
  ck_assert_uint_eq (unpack.units.n, 0);
  ck_assert_int_eq (lp_unpack_unit (&unpack, 5), 0);
  lp_unpack_free (&unpack);
}
END_TEST

static bool
find (void *word, const uint8_t *p, size_t n)
{
  return memmem (p, n, word, 16);
}

START_TEST (what_lies_across_two_windows_is_seen)
{
  for (size_t i = 1; i < 80; i++)
    {
      lp_inflater *inflater = lp_inflater_new (packed, npacked, false);
      uint8_t word[16];
      memcpy (word, plain + i * (1 << 17) - i % 17, sizeof word);
      ck_assert_int_eq (lp_inflate_look (inflater, nplain, sizeof word - 1, find,
					 word), 1);
      lp_inflater_free (inflater);
    }
  lp_inflater *inflater = lp_inflater_new (packed, npacked, false);
  ck_assert_int_eq (lp_inflate_look (inflater, nplain, 15, find,
				     "not in the units"), 0);
  lp_inflater_free (inflater);
}
END_TEST

/* Tables by hand: DWARF 5, 7.5.3.  */
#define UNIT(form) 1, 0x11, 1, 0x25, form, 0x13, 0x21, 4, 0, 0
#define FUNCTION(form) 2, 0x2e, 0, 0x03, form, 0, 0

START_TEST (abbreviations_tell_where_names_are)
{
  static const struct { uint8_t bytes[40]; size_t n; bool across, inside, foreign,
    damaged; } cases[] = {
    { { UNIT (0x0e), FUNCTION (0x0e), 0 }, 18, 0, 0, 0, 0 },
    { { UNIT (0x0e), FUNCTION (0x08), 0 }, 18, 0, 1, 0, 0 },
    { { UNIT (0x08), FUNCTION (0x0e), 0 }, 18, 0, 0, 0, 0 },
    { { UNIT (0x08), FUNCTION (0x08), 0 }, 18, 0, 1, 1, 0 },
    { { UNIT (0x08), 0, FUNCTION (0x08), 0 }, 19, 0, 1, 0, 0 },
    { { 1, 0x11, 1, 0x13, 0x0b, 0, 0, FUNCTION (0x08), 0 }, 15, 0, 1, 1, 0 },
    { { UNIT (0x1b), 3, 0x1d, 0, 0x31, 0x10, 0, 0, 0 }, 18, 1, 0, 0, 0 },
    { { UNIT (0x0e), 2, 0x2e, 0, 0x03 }, 14, 0, 0, 0, 1 },
  };
  lp_bytes bytes = { cases[_i].bytes, cases[_i].n };
  lp_abbrevs abbrevs = lp_abbrevs_read (bytes);
  ck_assert_int_eq (abbrevs.damaged, cases[_i].damaged);
  ck_assert_int_eq (abbrevs.across_units, cases[_i].across);
  ck_assert_int_eq (abbrevs.names_inside, cases[_i].inside);
  ck_assert_int_eq (abbrevs.foreign_inside, cases[_i].foreign);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("unpack");
  TCase *tc = tcase_create ("units");
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, a_stream_is_inflated_in_pieces);
  tcase_add_test (tc, bad_streams_are_refused);
  tcase_add_test (tc, units_are_inflated_when_read);
  tcase_add_test (tc, units_are_shown_and_kept);
  tcase_add_test (tc, a_stream_can_be_left);
  tcase_add_test (tc, what_are_no_units_is_inflated_whole);
  tcase_add_test (tc, what_lies_across_two_windows_is_seen);
  suite_add_tcase (suite, tc);
  TCase *abbrevs = tcase_create ("abbreviations");
  tcase_add_loop_test (abbrevs, abbreviations_tell_where_names_are, 0, 8);
  suite_add_tcase (suite, abbrevs);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
