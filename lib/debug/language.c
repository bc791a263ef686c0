/* language.c: how names are spelled in a language.  */

#include "debug/language.h"

#include <dwarf.h>
#include <string.h>

bool
lp_is_c (int language)
{
  switch (language)
    {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
      return true;
    default:
      return false;
    }
}

bool
lp_is_ada (int language)
{
  return language == DW_LANG_Ada83 || language == DW_LANG_Ada95;
}

static bool
is_fortran (int language)
{
  return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90
    || language == DW_LANG_Fortran95 || language == DW_LANG_Fortran03
    || language == DW_LANG_Fortran08;
}

bool
lp_ignores_case (int language)
{
  return lp_is_ada (language) || is_fortran (language)
    || language == DW_LANG_Pascal83;
}

bool
lp_nests_functions (int language)
{
  return is_fortran (language) || language == DW_LANG_Pascal83
    || language == DW_LANG_D;
}

const char *
lp_separator (int language)
{
  return language == DW_LANG_Pascal83 || language == DW_LANG_D ? "." : "::";
}

/* The last `_$$_' in SYMBOL, or NULL.  */
static const char *
last_mark (const char *symbol)
{
  const char *mark = NULL;
  for (const char *p = symbol; (p = strstr (p, "_$$_")); p++)
    mark = p;
  return mark;
}

bool
lp_pascal_holds (const char *outer, const char *inner)
{
  /* A_$$_B holds A$_$B_$$_C, where A is a unit; A_B_$$_C, where it is in another
     function; AB_$$_C, where A is a class and ends in a mark of its own.  */
  static const char *const joints[] = { "$_$", "_", "" };
  const char *a = last_mark (outer), *c = last_mark (inner);
  const char *b = a ? a + strlen ("_$$_") : "";
  if (!*b || !c)
    return false;
  size_t na = a - outer, nb = strlen (b), nc = c - inner;
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
    {
      size_t n = strlen (joints[i]);
      if (na + n + nb == nc && memcmp (inner, outer, na) == 0
	  && memcmp (inner + na, joints[i], n) == 0
	  && memcmp (inner + na + n, b, nb) == 0)
	return true;
    }
  return false;
}

/* The operator that GNAT calls WORD, of N bytes; NULL when it is none.  */
static const char *
operator_of (const char *word, size_t n)
{
  static const struct { const char *word, *symbol; } operators[] = {
    { "Oabs", "\"abs\"" }, { "Oand", "\"and\"" }, { "Omod", "\"mod\"" },
    { "Onot", "\"not\"" }, { "Oor", "\"or\"" }, { "Orem", "\"rem\"" },
    { "Oxor", "\"xor\"" }, { "Oeq", "\"=\"" }, { "One", "\"/=\"" },
    { "Olt", "\"<\"" }, { "Ole", "\"<=\"" }, { "Ogt", "\">\"" },
    { "Oge", "\">=\"" }, { "Oadd", "\"+\"" }, { "Osubtract", "\"-\"" },
    { "Oconcat", "\"&\"" }, { "Omultiply", "\"*\"" }, { "Odivide", "\"/\"" },
    { "Oexpon", "\"**\"" }
  };
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strlen (operators[i].word) == n && memcmp (operators[i].word, word, n) == 0)
      return operators[i].symbol;
  return NULL;
}

/* The `__' in [S, END) that separates two words, or END.  */
static const char *
find_separator (const char *s, const char *end)
{
  for (const char *p = s + 1; p + 2 < end; p++)
    if (p[0] == '_' && p[1] == '_' && p[-1] != '_' && p[2] != '_')
      return p;
  return end;
}

const char *
lp_ada_name (lp_arena *arena, const char *name)
{
  /* Some symbols are longer than GNAT's word for them.  */
  char *s = lp_arena_alloc (arena, 2 * strlen (name) + 1), *out = s;
  const char *end = name + strlen (name);
  for (const char *p = name, *next; s && p < end; p = next + 2)
    {
      next = find_separator (p, end);
      if (p > name && strspn (p, "0123456789") == (size_t) (end - p))
	break;
      const char *symbol = operator_of (p, next - p);
      if (p > name)
	*out++ = '.';
      size_t n = symbol ? strlen (symbol) : (size_t) (next - p);
      memcpy (out, symbol ? symbol : p, n);
      out += n;
      if (next == end)
	break;
    }
  if (s)
    *out = '\0';
  return s;
}
