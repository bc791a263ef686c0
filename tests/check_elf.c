/* check_elf.c: opening ELF files: what is refused and how, the lookups, and
   damaged files.  What is read from good ones is compared with other tools in
   elf.tap.  */

#include <check.h>
#include <elf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug/internal.h"

static char dir[PATH_MAX];
static uint8_t *program;	/* a program's bytes, $dir/prog */
static size_t program_size;

static const char *
in_dir (const char *name)
{
  static char path[PATH_MAX + 64];
  snprintf (path, sizeof path, "%s/%s", dir, name);
  return path;
}

static const char *
tool (const char *variable, const char *otherwise)
{
  const char *value = getenv (variable);
  return value && *value ? value : otherwise;
}

static int
shell (const char *format, ...)
{
  char command[3 * PATH_MAX];
  va_list ap;
  va_start (ap, format);
  vsnprintf (command, sizeof command, format, ap);
  va_end (ap);
  return system (command);
}

static const char *
write_file (const char *name, const void *bytes, size_t n)
{
  const char *path = in_dir (name);
  FILE *f = fopen (path, "w");
  ck_assert_ptr_nonnull (f);
  ck_assert_uint_eq (fwrite (bytes, 1, n, f), n);
  ck_assert_int_eq (fclose (f), 0);
  return path;
}

static void
set_up (void)
{
  snprintf (dir, sizeof dir, "%s/lineprof-test.XXXXXX", tool ("TMPDIR", "/tmp"));
  ck_assert_ptr_nonnull (mkdtemp (dir));
  /* C++ for its exception tables, C where there is no C++ compiler.  */
  if (shell ("%s -g -O1 %s/targets/throws.cc -o %s/prog 2>/dev/null",
	     tool ("CXX", "g++"), SRCDIR, dir) != 0)
    ck_assert_int_eq (shell ("%s -g -O1 %s/targets/pointers.c -o %s/prog",
			     tool ("CC", "cc"), SRCDIR, dir), 0);
  FILE *f = fopen (in_dir ("prog"), "r");
  struct stat st;
  ck_assert (f && fstat (fileno (f), &st) == 0);
  program_size = st.st_size;
  program = malloc (program_size);
  ck_assert_uint_eq (fread (program, 1, program_size, f), program_size);
  fclose (f);
}

static void
tear_down (void)
{
  shell ("rm -rf '%s'", dir);
  free (program);
}

/* PATH is refused with CODE and one line that names it and says TEXT.  */
static void
refused (const char *path, int code, const char *text)
{
  lp_error err = { 0 };
  ck_assert_ptr_null (lp_module_open (path, &err));
  ck_assert_msg (err.code == code, "code %d, not %d: %s", err.code, code,
		 err.text);
  ck_assert_msg (strstr (err.text, path), "no path: %s", err.text);
  ck_assert_msg (strstr (err.text, text), "not '%s': %s", text, err.text);
  ck_assert_ptr_null (lp_module_open (path, NULL));
}

static void
refused_text (const char *name, const char *text, const char *expected)
{
  refused (write_file (name, text, strlen (text)), LP_ENOEXEC, expected);
}

/* The program with the N bytes at OFFSET replaced.  */
static const char *
patched (size_t offset, const void *bytes, size_t n)
{
  uint8_t saved[64];
  memcpy (saved, program + offset, n);
  memcpy (program + offset, bytes, n);
  const char *path = write_file ("patched", program, program_size);
  memcpy (program + offset, saved, n);
  return path;
}

static const char *
with_u16 (size_t offset, uint16_t value)
{
  return patched (offset, &value, sizeof value);
}

START_TEST (files_that_cannot_be_opened)
{
  refused (in_dir ("absent"), LP_ENOTFOUND, "No such file");
  refused (in_dir ("prog/absent"), LP_ENOTFOUND, "Not a directory");
  refused (dir, LP_ENOEXEC, "is a directory");
  ck_assert_int_eq (mkfifo (in_dir ("fifo"), 0600), 0);
  refused (in_dir ("fifo"), LP_ENOEXEC, "not a regular file");
  if (geteuid () != 0)
    {
      ck_assert_int_eq (chmod (write_file ("secret", "x", 1), 0), 0);
      refused (in_dir ("secret"), LP_ENOEXEC, "no permission");
    }
}
END_TEST

START_TEST (scripts_name_their_interpreter)
{
  char expected[PATH_MAX + 128];
  refused_text ("sh", "#! /bin/bash\nexit\n", "is a script for /bin/bash;");
  snprintf (expected, sizeof expected, "kernprof -l /bin/bash -e %s/opt", dir);
  refused_text ("opt", "#!/bin/bash -e\t\r\n", expected);
  snprintf (expected, sizeof expected, "kernprof -l python3 %s/env", dir);
  refused_text ("env", "#!/usr/bin/env python3\n", expected);
  refused_text ("env", "#!/usr/bin/env -S perl -w\n", "script for perl;");
  refused_text ("none", "#!\n", "names no interpreter");
  refused_text ("bare", "#!/bin/sh", "script for /bin/sh;");
}
END_TEST

START_TEST (files_that_are_no_programs)
{
  refused_text ("empty", "", "is empty");
  refused_text ("text", "just text\n", "not an ELF program");
  refused_text ("short", "\177EL", "not an ELF program");
  ck_assert_int_eq (shell ("cd %s && echo 'int x;' | %s -c -x c - -o x.o", dir,
			   tool ("CC", "cc")), 0);
  refused (in_dir ("x.o"), LP_ENOEXEC, "is an object file");
  refused (with_u16 (offsetof (Elf64_Ehdr, e_type), ET_CORE), LP_ENOEXEC,
	   "is a core dump");
  refused (with_u16 (offsetof (Elf64_Ehdr, e_type), 77), LP_EFORMAT,
	   "unknown ELF type 77");
  if (shell ("cd %s && objcopy --only-keep-debug prog prog.debug", dir) == 0)
    refused (in_dir ("prog.debug"), LP_ENOEXEC, "debug information only");
}
END_TEST

START_TEST (programs_of_other_machines)
{
  const size_t machine = offsetof (Elf64_Ehdr, e_machine);
  const uint8_t class32 = ELFCLASS32;
  refused (with_u16 (machine, EM_AARCH64), LP_ENOEXEC, "built for AArch64");
  refused (with_u16 (machine, EM_RISCV), LP_ENOEXEC, "built for RISC-V");
  refused (with_u16 (machine, 60000), LP_ENOEXEC, "for machine 60000");
  refused (patched (EI_CLASS, &class32, 1), LP_ENOEXEC, "32-bit program (x32)");
  Elf32_Ehdr i386 = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32,
				   ELFDATA2LSB, EV_CURRENT },
		      .e_type = ET_EXEC, .e_machine = EM_386 };
  refused (patched (0, &i386, sizeof i386), LP_ENOEXEC, "32-bit program (i386)");
  uint8_t big_endian = ELFDATA2MSB;
  refused (patched (EI_DATA, &big_endian, 1), LP_ENOEXEC, "for machine 15872");
}
END_TEST

START_TEST (truncated_programs)
{
  refused (write_file ("cut", program, 30), LP_EFORMAT, "truncated");
  refused (write_file ("cut", program, 100), LP_EFORMAT, "truncated");
  refused (write_file ("cut", program, program_size / 2), LP_EFORMAT, "truncated");
  refused (write_file ("cut", program, program_size - 1), LP_EFORMAT,
	   "truncated");
}
END_TEST

START_TEST (impossible_headers)
{
  const uint64_t far = UINT64_MAX - 8;
  refused (with_u16 (offsetof (Elf64_Ehdr, e_phnum), 0), LP_EFORMAT,
	   "no segment to load");
  refused (with_u16 (offsetof (Elf64_Ehdr, e_phnum), 60000), LP_EFORMAT,
	   "program headers");
  refused (with_u16 (offsetof (Elf64_Ehdr, e_phentsize), 3), LP_EFORMAT,
	   "program headers");
  refused (patched (offsetof (Elf64_Ehdr, e_phoff), &far, 8), LP_EFORMAT,
	   "program headers");
  refused (patched (offsetof (Elf64_Ehdr, e_shoff), &far, 8), LP_EFORMAT,
	   "section headers");
  refused (with_u16 (offsetof (Elf64_Ehdr, e_shnum), 60000), LP_EFORMAT,
	   "section headers");
}
END_TEST

static lp_module *
open_program (void)
{
  lp_error err = { 0 };
  lp_module *mod = lp_module_open (in_dir ("prog"), &err);
  ck_assert_msg (mod, "%s", err.text);
  ck_assert_str_eq (lp_module_path (mod), in_dir ("prog"));
  return mod;
}

START_TEST (bytes_are_those_of_the_file)
{
  lp_module *mod = open_program ();
  size_t n;
  uint64_t avail;
  const lp_segment *seg = lp_module_segments (mod, &n);
  ck_assert_uint_ge (n, 2);
  for (size_t i = 0; i < n; i++)
    {
      const uint8_t *p = lp_module_bytes (mod, seg[i].lo, &avail);
      ck_assert_uint_eq (avail, seg[i].nbytes);
      ck_assert_mem_eq (p, seg[i].bytes, avail);
      ck_assert (i == 0 || seg[i].lo >= seg[i - 1].hi);
      ck_assert_int_eq (lp_module_is_code (mod, seg[i].lo), seg[i].exec);
      ck_assert_int_eq (lp_module_is_code (mod, seg[i].hi - 1), seg[i].exec);
      p = lp_module_bytes (mod, seg[i].lo + avail - 1, &avail);
      ck_assert_uint_eq (avail, 1);
      ck_assert_ptr_eq (p, seg[i].bytes + seg[i].nbytes - 1);
    }
  ck_assert_ptr_null (lp_module_bytes (mod, UINT64_MAX, &avail));
  ck_assert_uint_eq (avail, 0);
  ck_assert (!lp_module_is_code (mod, UINT64_MAX));
  lp_module_close (mod);
  lp_module_close (NULL);
}
END_TEST

/* Every name leads back to an address that has it.  */
START_TEST (symbols_are_found_by_name)
{
  lp_module *mod = open_program ();
  size_t n;
  uint64_t value;
  const lp_symbol *symbols = lp_module_symbols (mod, &n);
  ck_assert_uint_gt (n, 3);
  for (size_t i = 0; i < n; i++)
    {
      ck_assert (i == 0 || symbols[i].value >= symbols[i - 1].value);
      ck_assert_int_eq (lp_module_symbol (mod, symbols[i].name, &value), 0);
      ck_assert (lp_module_is_code (mod, value));
    }
  ck_assert_int_eq (lp_module_symbol (mod, "main", &value), 0);
  ck_assert_int_eq (lp_module_symbol (mod, "__bss_start", &value), 0);
  ck_assert_int_eq (lp_module_symbol (mod, "mai", &value), -1);
  ck_assert_int_eq (lp_module_symbol (mod, "", &value), -1);
  /* Imported only.  */
  ck_assert_int_eq (lp_module_symbol (mod, "__libc_start_main", &value), -1);
  lp_module_close (mod);
}
END_TEST

/* The first line that the shell's COMMAND prints.  */
static const char *
output (const char *command)
{
  static char line[PATH_MAX];
  FILE *f = popen (command, "r");
  ck_assert (f && fgets (line, sizeof line, f));
  pclose (f);
  line[strcspn (line, "\n")] = '\0';
  return line;
}

/* glibc has pthread_cond_wait twice; readelf marks the default with @@.  */
START_TEST (symbols_have_the_default_version)
{
  static const char libc[] = "ldd /bin/sh | sed -n 's/.*=> \\(.*libc.so.6\\) .*/\\1/p'";
  char command[512];
  snprintf (command, sizeof command, "readelf --dyn-syms -W $(%s) | sed -n"
	    " 's/^ *[0-9]*: \\([0-9a-f]*\\) .* pthread_cond_wait@@.*/\\1/p'", libc);
  uint64_t value = 0, expected = strtoul (output (command), NULL, 16);
  lp_error err = { 0 };
  lp_module *mod = lp_module_open (output (libc), &err);
  ck_assert_msg (mod, "%s", err.text);
  ck_assert_int_eq (lp_module_symbol (mod, "pthread_cond_wait", &value), 0);
  ck_assert_uint_eq (value, expected);
  lp_module_close (mod);
}
END_TEST

START_TEST (a_debug_file_lends_its_symbols)
{
  ck_assert_int_eq (shell ("cd %s && objcopy --only-keep-debug prog lent"
			   " && strip -o bare prog", dir), 0);
  lp_error err = { 0 };
  size_t n, more;
  lp_module *whole = open_program ();
  lp_module *mod = lp_module_open (in_dir ("bare"), &err);
  ck_assert_msg (mod, "%s", err.text);
  lp_module_symbols (whole, &n);
  lp_module_symbols (mod, &more);
  ck_assert_uint_lt (more, n);

  FILE *f = fopen (in_dir ("lent"), "r");
  uint8_t *bytes = malloc (program_size * 2);
  size_t size = fread (bytes, 1, program_size * 2, f);
  fclose (f);
  lp_image image;
  ck_assert_int_eq (lp_image_init (&image, mod->arena, bytes, size, "lent", &err),
		    0);
  ck_assert_int_eq (lp_module_add_symbols (mod, &image, &err), 0);
  lp_module_symbols (mod, &more);
  ck_assert_uint_eq (more, n);
  uint64_t value, expected;
  ck_assert_int_eq (lp_module_symbol (mod, "main", &value), 0);
  ck_assert_int_eq (lp_module_symbol (whole, "main", &expected), 0);
  ck_assert_uint_eq (value, expected);
  lp_module_close (mod);
  lp_module_close (whole);
  free (bytes);
}
END_TEST

/* Ask a file everything; whatever it says, it says why.  */
static void
ask_everything (const char *path)
{
  lp_error err = { 0 };
  size_t n;
  uint64_t value;
  lp_module *mod = lp_module_open (path, &err);
  ck_assert (mod || err.text[0]);
  if (!mod)
    return;
  const uint64_t *v = lp_module_code_pointers (mod, &n, &err);
  ck_assert (v || err.text[0]);
  for (size_t i = 0; v && i < n; i++)
    ck_assert (lp_module_is_code (mod, v[i]) && (i == 0 || v[i] > v[i - 1]));
  v = lp_module_landing_pads (mod, &n, &err);
  ck_assert (v || err.text[0]);
  for (size_t i = 0; v && i < n; i++)
    ck_assert (lp_module_is_code (mod, v[i]) && (i == 0 || v[i] > v[i - 1]));
  const lp_symbol *symbols = lp_module_symbols (mod, &n);
  for (size_t i = 0; i < n; i++)
    ck_assert_uint_gt (strlen (symbols[i].name), 0);
  lp_module_symbol (mod, "main", &value);
  lp_module_close (mod);
}

static uint64_t
random_number (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

START_TEST (cut_anywhere)
{
  for (size_t n = 0; n < program_size; n += 1 + n / 40)
    ask_everything (write_file ("damaged", program, n));
}
END_TEST

/* Bytes changed anywhere, half of the time in the headers.  */
START_TEST (damaged_anywhere)
{
  uint64_t state = 0x9e3779b97f4a7c15 + _i;
  uint8_t *damaged = malloc (program_size);
  for (int round = 0; round < 200; round++)
    {
      memcpy (damaged, program, program_size);
      for (int i = 1 + random_number (&state) % 8; i > 0; i--)
	{
	  uint64_t where = random_number (&state);
	  size_t ends = where & 2 ? where / 4 % 1024
				  : program_size - 1 - where / 4 % 2048;
	  damaged[where & 1 ? where / 4 % program_size : ends % program_size]
	    = random_number (&state);
	}
      ask_everything (write_file ("damaged", damaged, program_size));
    }
  free (damaged);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("elf");
  TCase *tc = tcase_create ("elf");
  tcase_add_unchecked_fixture (tc, set_up, tear_down);
  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, files_that_cannot_be_opened);
  tcase_add_test (tc, scripts_name_their_interpreter);
  tcase_add_test (tc, files_that_are_no_programs);
  tcase_add_test (tc, programs_of_other_machines);
  tcase_add_test (tc, truncated_programs);
  tcase_add_test (tc, impossible_headers);
  tcase_add_test (tc, bytes_are_those_of_the_file);
  tcase_add_test (tc, symbols_are_found_by_name);
  tcase_add_test (tc, symbols_have_the_default_version);
  tcase_add_test (tc, a_debug_file_lends_its_symbols);
  tcase_add_test (tc, cut_anywhere);
  tcase_add_loop_test (tc, damaged_anywhere, 0, 10);
  suite_add_tcase (suite, tc);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  srunner_run_all (runner, CK_NORMAL);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed != 0;
}
