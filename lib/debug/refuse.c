/* refuse.c: files that are no x86-64 program, told apart by name.  */

#include "debug/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct machine
{
  uint16_t id;
  const char *name;
} machines[] = {
  { EM_386, "i386" },		{ EM_AARCH64, "AArch64" },
  { EM_ARM, "ARM" },		{ EM_RISCV, "RISC-V" },
  { EM_PPC, "PowerPC" },	{ EM_PPC64, "PowerPC64" },
  { EM_S390, "S/390" },		{ EM_MIPS, "MIPS" },
  { EM_SPARC, "SPARC" },	{ EM_SPARCV9, "SPARC V9" },
  { EM_IA_64, "Itanium" },	{ EM_ALPHA, "Alpha" },
  { EM_68K, "m68k" },		{ EM_SH, "SuperH" },
  { EM_PARISC, "PA-RISC" },	{ EM_BPF, "BPF" },
  { EM_AVR, "AVR" },		{ EM_XTENSA, "Xtensa" },
  { 258, "LoongArch" },
};

static int
refuse_machine (const char *path, uint16_t id, lp_error *err)
{
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (machines[i].id == id)
      return lp_fail (err, LP_ENOEXEC, "'%s' is built for %s; only x86-64"
		      " programs can be profiled here", path, machines[i].name);
  return lp_fail (err, LP_ENOEXEC, "'%s' is built for machine %u; only x86-64"
		  " programs can be profiled here", path, id);
}

/* The command behind "env" and its options, in place.  */
static const char *
skip_env (const char *command)
{
  size_t n = strcspn (command, " \t");
  if (n < 4 || strncmp (command + n - 4, "/env", 4) != 0)
    return command;
  const char *p = command + n;
  for (;;)
    {
      p += strspn (p, " \t");
      if (*p != '-')
	return *p ? p : command;
      p += strcspn (p, " \t");
    }
}

/* A script: the kernel would run the program that its first line names.  */
static int
refuse_script (const char *path, const uint8_t *bytes, size_t size,
	       lp_error *err)
{
  char line[256];
  size_t n = 0;
  for (size_t i = 2; i < size && bytes[i] != '\n' && n < sizeof line - 1; i++)
    if (n > 0 || !isspace (bytes[i]))
      line[n++] = iscntrl (bytes[i]) ? ' ' : bytes[i];
  while (n > 0 && line[n - 1] == ' ')
    n--;
  line[n] = '\0';
  const char *command = skip_env (line);
  if (!*command)
    return lp_fail (err, LP_ENOEXEC, "'%s' is a script whose first line names"
		    " no interpreter; profile a program", path);
  return lp_fail (err, LP_ENOEXEC, "'%s' is a script for %.*s; profile the"
		  " interpreter: kernprof -l %s %s", path,
		  (int) strcspn (command, " "), command, command, path);
}

static int
refuse_foreign (const char *path, const uint8_t *bytes, size_t size,
		lp_error *err)
{
  if (size == 0)
    return lp_fail (err, LP_ENOEXEC, "'%s' is empty; link the program again",
		    path);
  if (size >= 2 && memcmp (bytes, "#!", 2) == 0)
    return refuse_script (path, bytes, size, err);
  return lp_fail (err, LP_ENOEXEC, "'%s' is not an ELF program; name a program"
		  " compiled for x86-64 Linux", path);
}

static int
refuse_type (const char *path, const Elf64_Ehdr *ehdr, lp_error *err)
{
  switch (ehdr->e_type)
    {
    case ET_EXEC:
    case ET_DYN:
      return 0;
    case ET_REL:
      return lp_fail (err, LP_ENOEXEC, "'%s' is an object file; link it and"
		      " profile the program", path);
    case ET_CORE:
      return lp_fail (err, LP_ENOEXEC, "'%s' is a core dump; profile the program"
		      " that left it", path);
    default:
      return lp_fail (err, LP_EFORMAT, "'%s' has the unknown ELF type %u; link"
		      " it again", path, ehdr->e_type);
    }
}

int
lp_check_header (const char *path, const uint8_t *bytes, size_t size,
		 lp_error *err)
{
  if (size < SELFMAG || memcmp (bytes, ELFMAG, SELFMAG) != 0)
    return refuse_foreign (path, bytes, size, err);
  if (size < sizeof (Elf64_Ehdr))
    return lp_fail (err, LP_EFORMAT, "'%s' is truncated inside its ELF header;"
		    " link or copy it again", path);

  Elf64_Ehdr ehdr;
  memcpy (&ehdr, bytes, sizeof ehdr);
  uint16_t machine = ehdr.e_machine;
  if (ehdr.e_ident[EI_DATA] == ELFDATA2MSB)
    machine = __builtin_bswap16 (machine);
  if (machine != EM_X86_64 && machine != EM_386)
    return refuse_machine (path, machine, err);
  if (ehdr.e_ident[EI_CLASS] == ELFCLASS32)
    return lp_fail (err, LP_ENOEXEC, "'%s' is a 32-bit program (%s); only 64-bit"
		    " programs can be profiled: build it with -m64", path,
		    machine == EM_386 ? "i386" : "x32");
  if (machine != EM_X86_64 || ehdr.e_ident[EI_CLASS] != ELFCLASS64
      || ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
    return lp_fail (err, LP_EFORMAT, "'%s' has a corrupt ELF header; link or"
		    " copy it again", path);
  return refuse_type (path, &ehdr, err);
}
