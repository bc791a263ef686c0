/* symbols.c: symbol tables, read straight from the mapped file.  */

#include "debug/internal.h"

#include <stdlib.h>
#include <string.h>

struct table
{
  const uint8_t *syms;		/* N times Elf64_Sym */
  size_t n;
  const char *names;		/* ends with a NUL */
  size_t names_size;
  const uint8_t *versions;	/* N times Elf64_Versym, or NULL */
};

/* Use only names that end: what follows the last NUL is cut off.  */
static void
set_names (struct table *table, const uint8_t *names, size_t size)
{
  while (names && size > 0 && names[size - 1] != '\0')
    size--;
  bool usable = names && size > 0;
  table->names = usable ? (const char *) names : "";
  table->names_size = usable ? size : 1;
}

static bool
table_from_section (const lp_image *image, uint32_t type, struct table *table)
{
  const Elf64_Shdr *section = lp_section_find (image, type, NULL);
  *table = (struct table) { 0 };
  if (!section || section->sh_link >= image->nsections)
    return false;
  size_t n;
  table->syms = lp_section_bytes (image, section, &n);
  table->n = n / sizeof (Elf64_Sym);
  const uint8_t *names
    = lp_section_bytes (image, &image->sections[section->sh_link], &n);
  set_names (table, names, n);
  const Elf64_Shdr *versym = lp_section_find (image, SHT_GNU_versym, NULL);
  if (type == SHT_DYNSYM && versym)
    {
      table->versions = lp_section_bytes (image, versym, &n);
      if (n / sizeof (Elf64_Versym) < table->n)
	table->versions = NULL;
    }
  return table->n > 0;
}

/* The dynamic symbols of a file without section headers.  */
static bool
table_from_dynamic (const lp_module *mod, struct table *table)
{
  uint64_t syms, names, size, avail;
  *table = (struct table) { 0 };
  if (!lp_dynamic_value (mod, DT_SYMTAB, &syms)
      || !lp_dynamic_value (mod, DT_STRTAB, &names)
      || !lp_dynamic_value (mod, DT_STRSZ, &size))
    return false;
  table->syms = lp_module_bytes (mod, syms, &avail);
  table->n = lp_dynamic_nsymbols (mod);
  if (table->n > avail / sizeof (Elf64_Sym))
    table->n = avail / sizeof (Elf64_Sym);
  const uint8_t *bytes = lp_module_bytes (mod, names, &avail);
  set_names (table, bytes, size < avail ? size : avail);
  return table->n > 0;
}

static bool
dynamic_table (const lp_module *mod, struct table *table)
{
  return table_from_section (&mod->image, SHT_DYNSYM, table)
	 || (mod->image.nsections == 0 && table_from_dynamic (mod, table));
}

static const char *
get_symbol (const struct table *table, size_t i, Elf64_Sym *sym)
{
  memcpy (sym, table->syms + i * sizeof *sym, sizeof *sym);
  return sym->st_name < table->names_size ? table->names + sym->st_name : "";
}

/* Does SYM name code?  An untyped one does in a section of code; names that
   start with a dot are the assembler's and annobin's.  */
static bool
names_code (const lp_module *mod, const lp_image *image, const Elf64_Sym *sym,
	    const char *name)
{
  int type = ELF64_ST_TYPE (sym->st_info);
  if (!*name || sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS
      || sym->st_shndx == SHN_COMMON)
    return false;
  if (type == STT_NOTYPE)
    {
      if (*name == '.' || sym->st_shndx >= image->nsections
	  || !(image->sections[sym->st_shndx].sh_flags & SHF_EXECINSTR))
	return false;
    }
  else if (type != STT_FUNC && type != STT_GNU_IFUNC)
    return false;
  return lp_module_is_code (mod, sym->st_value);
}

static int
add_symbols (lp_module *mod, const lp_image *image, const struct table *table,
	     lp_error *err)
{
  Elf64_Sym sym;
  for (size_t i = 0; i < table->n; i++)
    {
      const char *name = get_symbol (table, i, &sym);
      if (!names_code (mod, image, &sym, name))
	continue;
      const char *version = strchr (name, '@');
      if (version && version > name)
	name = lp_arena_copy (mod->arena, name, version - name);
      lp_symbol s = {
	.name = name,
	.value = sym.st_value,
	.size = sym.st_size,
	.type = ELF64_ST_TYPE (sym.st_info),
	.bind = ELF64_ST_BIND (sym.st_info),
      };
      if (!name || lp_vec_push (&mod->symbols, s))
	return lp_nomem (err);
    }
  return 0;
}

/* How little a symbol tells among those of one value.  */
static int
rank (const lp_symbol *s)
{
  int type = s->type == STT_NOTYPE ? 4 : 0;
  return type + (s->bind == STB_LOCAL ? 2 : s->bind == STB_WEAK);
}

static int
compare (const void *a, const void *b)
{
  const lp_symbol *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  if (rank (x) != rank (y))
    return rank (x) - rank (y);
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Sort, and drop a name that repeats at one value (versions of a symbol).  */
static void
sort_symbols (lp_module *mod)
{
  lp_symbol *v = mod->symbols.v;
  size_t n = 0;
  if (mod->symbols.n)
    qsort (v, mod->symbols.n, sizeof *v, compare);
  for (size_t i = 0; i < mod->symbols.n; i++)
    if (n == 0 || v[n - 1].value != v[i].value
	|| strcmp (v[n - 1].name, v[i].name) != 0)
      v[n++] = v[i];
  mod->symbols.n = n;
}

int
lp_module_add_symbols (lp_module *mod, const lp_image *image, lp_error *err)
{
  struct table table;
  if (!table_from_section (image, SHT_SYMTAB, &table))
    return 0;
  mod->symbols.n = 0;
  if (add_symbols (mod, image, &table, err))
    return -1;
  sort_symbols (mod);
  return 0;
}

int
lp_read_symbols (lp_module *mod, lp_error *err)
{
  struct table table;
  if (table_from_section (&mod->image, SHT_SYMTAB, &table))
    return lp_module_add_symbols (mod, &mod->image, err);
  if (lp_section_find (&mod->image, SHT_PROGBITS, ".gnu_debugdata"))
    {
      if (lp_read_minisymbols (mod, err))
	return -1;
    }
  else if (dynamic_table (mod, &table)
	   && add_symbols (mod, &mod->image, &table, err))
    return -1;
  sort_symbols (mod);
  return 0;
}

const lp_symbol *
lp_module_symbols (const lp_module *mod, size_t *n)
{
  *n = mod->symbols.n;
  return mod->symbols.v;
}

/* Is S the symbol NAME of N bytes, with or without a version?  */
static bool
is_name (const char *s, const char *name, size_t n)
{
  return strncmp (s, name, n) == 0 && (s[n] == '\0' || s[n] == '@');
}

/* How well symbol I fits when its name does: 0 not at all.  */
static int
fitness (const struct table *table, size_t i, const Elf64_Sym *sym,
	 const char *name, size_t n)
{
  int type = ELF64_ST_TYPE (sym->st_info);
  uint16_t version = 0;
  if (sym->st_shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE)
    return 0;
  if (ELF64_ST_BIND (sym->st_info) == STB_LOCAL)
    return 1;
  if (table->versions)
    memcpy (&version, table->versions + i * sizeof version, sizeof version);
  /* "name@VERSION" and the hidden bit mark a version that is not the default. */
  bool hidden = (version & 0x8000) || (name[n] == '@' && name[n + 1] != '@');
  return hidden ? 2 : 3;
}

static int
find_symbol (const struct table *table, const char *name, uint64_t *value)
{
  Elf64_Sym sym;
  size_t n = strlen (name);
  int best = 0;
  for (size_t i = 0; i < table->n; i++)
    {
      const char *s = get_symbol (table, i, &sym);
      if (*s != *name || !is_name (s, name, n))
	continue;
      int fit = fitness (table, i, &sym, s, n);
      if (fit > best)
	{
	  best = fit;
	  *value = sym.st_value;
	}
    }
  return best > 0 ? 0 : -1;
}

int
lp_module_symbol (const lp_module *mod, const char *name, uint64_t *value)
{
  struct table table;
  if (!*name)
    return -1;
  if (table_from_section (&mod->image, SHT_SYMTAB, &table)
      && find_symbol (&table, name, value) == 0)
    return 0;
  if (dynamic_table (mod, &table) && find_symbol (&table, name, value) == 0)
    return 0;
  for (size_t i = 0; i < mod->symbols.n; i++)
    if (strcmp (mod->symbols.v[i].name, name) == 0)
      {
	*value = mod->symbols.v[i].value;
	return 0;
      }
  return -1;
}

bool
lp_module_imports (const lp_module *mod, const char *name)
{
  struct table table;
  Elf64_Sym sym;
  if (!dynamic_table (mod, &table))
    return false;
  for (size_t i = 0; i < table.n; i++)
    if (strcmp (get_symbol (&table, i, &sym), name) == 0)
      return sym.st_shndx == SHN_UNDEF && ELF64_ST_BIND (sym.st_info) != STB_WEAK;
  return false;
}
