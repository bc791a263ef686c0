/* dump_elf.c: what the debug floor reads from an ELF file, for elf.tap.
   Usage: dump_elf header|symbols|pointers|pads FILE.  */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/module.h"

static void
print_header (const lp_module *mod)
{
  const char *interp = lp_module_interp (mod);
  printf ("%s\n%s\n%s\n", lp_module_is_pie (mod) ? "DYN" : "EXEC",
	  interp ? interp : "none", lp_module_build_id (mod));
}

static void
print_symbols (const lp_module *mod)
{
  size_t n;
  const lp_symbol *symbols = lp_module_symbols (mod, &n);
  for (size_t i = 0; i < n; i++)
    printf ("%016" PRIx64 " %s\n", symbols[i].value, symbols[i].name);
}

static int
print_addresses (const uint64_t *addresses, size_t n)
{
  for (size_t i = 0; addresses && i < n; i++)
    printf ("%016" PRIx64 "\n", addresses[i]);
  return addresses ? 0 : -1;
}

static int
print (lp_module *mod, const char *what, lp_error *err)
{
  size_t n;
  const uint64_t *addresses;
  if (strcmp (what, "header") == 0)
    {
      print_header (mod);
      return 0;
    }
  if (strcmp (what, "symbols") == 0)
    {
      print_symbols (mod);
      return 0;
    }
  if (strcmp (what, "pointers") == 0)
    addresses = lp_module_code_pointers (mod, &n, err);
  else
    addresses = lp_module_landing_pads (mod, &n, err);
  return print_addresses (addresses, n);
}

int
main (int argc, char **argv)
{
  lp_error err = { 0 };
  if (argc != 3)
    return 2;
  lp_module *mod = lp_module_open (argv[2], &err);
  int failed = !mod || print (mod, argv[1], &err);
  if (failed)
    fprintf (stderr, "%s\n", err.text);
  lp_module_close (mod);
  return failed;
}
