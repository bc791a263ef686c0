/* select.c: which functions a pattern means.  */

#include "debug/select.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug/inlined.h"
#include "debug/language.h"
#include "debug/mention.h"
#include "debug/names.h"
#include "debug/pattern.h"

struct search
{
  lp_module *mod;
  lp_dwarf *dw;			/* NULL until it is needed */
  const lp_pattern *pattern;
  lp_function_list found;	/* in any order, maybe repeated */
  lp_error *err;
};

static int
add (struct search *s, lp_function *fn)
{
  return lp_vec_push (&s->found, fn) ? lp_nomem (s->err) : 0;
}

static int
need_dwarf (struct search *s)
{
  if (!s->dw)
    s->dw = lp_dwarf_open (s->mod, s->err);
  return s->dw ? 0 : -1;
}

/* Add the function of SYMBOL when it is what is sought.  */
static int
try_symbol (struct search *s, const lp_symbol *symbol, const char *name)
{
  lp_function *fn;
  if (need_dwarf (s) || lp_function_at (s->dw, symbol->value, &fn, s->err))
    return -1;
  return fn && lp_function_is (s->dw, fn, name) ? add (s, fn) : 0;
}

/* By the symbol table: only symbols that may match are demangled, and only
   their units are read.  ANY_CASE: those that are not mangled, whatever the case of
   their letters.  */
static int
search_symbols (struct search *s, const char *name, bool any_case)
{
  char *key = lp_pattern_key (name);
  if (!key)
    return lp_nomem (s->err);
  int result = 0;
  for (size_t i = 0; i < s->mod->symbols.n && !result; i++)
    {
      const lp_symbol *symbol = &s->mod->symbols.v[i];
      bool spelled = any_case ? !lp_is_mangled (symbol->name)
	&& (strcasestr (symbol->name, key) || strcmp (symbol->name, "MAIN__") == 0)
	: strstr (symbol->name, key) != NULL;
      if (symbol->type != STT_GNU_IFUNC && spelled
	  && lp_symbol_may_be (symbol->name, name))
	result = try_symbol (s, symbol, name);
    }
  free (key);
  return result;
}

/* Set *MAY to which units may have a function called NAME; to be freed.  */
static int
ask_units (struct search *s, const char *name, bool **may)
{
  bool whole;
  char *word = lp_pattern_word (name, &whole);
  *may = calloc (s->dw->units.n + 1, sizeof **may);
  int bad = !word || !*may ? lp_nomem (s->err)
    : lp_units_mentioning (s->dw, whole ? word : "", whole, *may, s->err);
  free (word);
  for (uint32_t u = 0; !bad && u < s->dw->units.n; u++)
    (*may)[u] |= !lp_is_c (s->dw->units.v[u].language);
  return bad;
}

/* Add those of unit U.  */
static int
search_unit (struct search *s, uint32_t u, const char *name)
{
  const lp_unit *unit = &s->dw->units.v[u];
  if (lp_unit_functions (s->dw, u, s->err) || lp_inlined_ahead (s->dw, u, s->err))
    return -1;
  lp_unit_release (s->dw, u);
  for (size_t i = 0; i < unit->functions.n; i++)
    if (lp_function_is (s->dw, unit->functions.v[i], name)
	&& add (s, unit->functions.v[i]))
      return -1;
  return 0;
}

/* Through all functions of the module that may be it.  */
static int
search_functions (struct search *s, const char *name)
{
  bool *may;
  if (need_dwarf (s))
    return -1;
  int bad = ask_units (s, name, &may);
  for (uint32_t u = 0; !bad && u < s->dw->units.n; u++)
    bad = may[u] && search_unit (s, u, name);
  free (may);
  return bad ? -1 : 0;
}

/* Is there a program of Ada's?  Its binder makes a function of that name.  */
static bool
is_ada (const lp_module *mod)
{
  for (size_t i = 0; i < mod->symbols.n; i++)
    if (strcmp (mod->symbols.v[i].name, "adainit") == 0)
      return true;
  return false;
}

static int
search_name (struct search *s, const char *name)
{
  bool known = true;
  /* Symbols may have to come from the separate debug file.  */
  if (lp_debug_find (s->mod, s->err))
    return -1;
  if (!s->mod->dwarf->path)
    return need_dwarf (s);
  if (!lp_is_glob (name)
      && (search_symbols (s, name, false)
	  || (!s->found.n && search_symbols (s, name, true))
	  || (!s->found.n
	      && lp_dwarf_has_name (s->mod, name, &known, s->err))))
    return -1;
  /* What generics are called is not known there.  */
  return s->found.n || (!known && !is_ada (s->mod)) ? 0 : search_functions (s, name);
}

static bool
is_in_file (const struct search *s, const lp_function *fn)
{
  return lp_pattern_has_file (s->pattern, s->mod->files.v[fn->file].path);
}

/* The functions of the pattern's file, all or those called NAME.  */
static int
search_file (struct search *s, const char *name)
{
  if (need_dwarf (s))
    return -1;
  for (uint32_t u = 0; u < s->dw->units.n; u++)
    {
      lp_unit *unit = &s->dw->units.v[u];
      if (!lp_unit_may_have (s->dw, unit, s->pattern))
	continue;
      if (lp_unit_functions (s->dw, u, s->err))
	return -1;
      for (size_t i = 0; i < unit->functions.n; i++)
	if (is_in_file (s, unit->functions.v[i])
	    && (!name || lp_function_is (s->dw, unit->functions.v[i], name))
	    && add (s, unit->functions.v[i]))
	  return -1;
    }
  return 0;
}

/* Does FN itself, not what is inlined into it, have code for the pattern's
   line?  */
static bool
has_line (const struct search *s, const lp_function *fn)
{
  for (size_t i = 0; i < fn->nrows; i++)
    if (fn->rows[i].line == s->pattern->line && fn->rows[i].inl == 0
	&& lp_pattern_has_file (s->pattern,
				s->mod->files.v[fn->rows[i].file].path))
      return true;
  return false;
}

/* Add the functions of unit U with code for the pattern's line.  */
static int
search_line_in (struct search *s, uint32_t u)
{
  lp_unit *unit = &s->dw->units.v[u];
  lp_function *fn, *last = NULL;
  if (lp_unit_rows (s->dw, unit, s->err))
    return -1;
  for (size_t q = 0; q < unit->rows.sequences.n; q++)
    {
      const lp_sequence *seq = &unit->rows.sequences.v[q];
      for (size_t i = seq->first; i < (size_t) seq->first + seq->n; i++)
	{
	  if (unit->rows.rows.v[i].line != s->pattern->line)
	    continue;
	  if (lp_function_at (s->dw, unit->rows.rows.v[i].addr, &fn, s->err)
	      || (fn && fn != last && lp_module_rows (s->mod, fn, s->err))
	      || (fn && fn != last && has_line (s, fn) && add (s, fn)))
	    return -1;
	  last = fn;
	}
    }
  return 0;
}

/* The last line of FN's own code in its file.  */
static uint32_t
last_line (const lp_function *fn)
{
  uint32_t last = fn->line;
  for (size_t i = 0; i < fn->nrows; i++)
    if (fn->rows[i].inl == 0 && fn->rows[i].file == fn->file
	&& fn->rows[i].line > last)
      last = fn->rows[i].line;
  return last;
}

/* The line has no code: keep of the file's functions those that begin nearest
   above it and reach beyond it.  */
static int
keep_surrounding (struct search *s)
{
  uint32_t best = 0;
  size_t kept = 0;
  for (size_t i = 0; i < s->found.n; i++)
    {
      lp_function *fn = s->found.v[i];
      if (fn->line > s->pattern->line || fn->line < best)
	continue;
      if (lp_module_rows (s->mod, fn, s->err))
	return -1;
      if (last_line (fn) < s->pattern->line)
	continue;
      if (fn->line > best)
	kept = 0;
      best = fn->line;
      s->found.v[kept++] = fn;
    }
  s->found.n = kept;
  return 0;
}

static int
search_line (struct search *s)
{
  if (need_dwarf (s))
    return -1;
  for (uint32_t u = 0; u < s->dw->units.n; u++)
    if (lp_unit_may_have (s->dw, &s->dw->units.v[u], s->pattern)
	&& search_line_in (s, u))
      return -1;
  if (s->found.n)
    return 0;
  return search_file (s, NULL) || keep_surrounding (s) ? -1 : 0;
}

static int
search (struct search *s)
{
  const lp_pattern *pattern = s->pattern;
  if (pattern->line)
    return search_line (s);
  if (pattern->file
      && search_file (s, pattern->maybe_name ? NULL : pattern->name))
    return -1;
  return pattern->maybe_name && s->found.n == 0
    ? search_name (s, pattern->name) : 0;
}

static int
compare_functions (const void *a, const void *b)
{
  const lp_function *x = *(lp_function *const *) a;
  const lp_function *y = *(lp_function *const *) b;
  return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* FN, which is in a list for what is inlined into it, is wanted itself.  Was that
   so?  */
static bool
wanted_before (lp_function *fn)
{
  bool before = !fn->only_inlined;
  fn->only_inlined = false;
  return before;
}

int
lp_select_append (lp_function_list *found, bool only_inlined,
		  lp_function_list *out, lp_error *err)
{
  lp_intmap there = { 0 };
  size_t before = out->n, n = 0;
  int result = 0;
  for (size_t i = 0; i < before && !result; i++)
    result = lp_intmap_put (&there, (uintptr_t) out->v[i], 0);
  if (found->n)
    qsort (found->v, found->n, sizeof *found->v, compare_functions);
  for (size_t i = 0; i < found->n && !result; i++)
    {
      lp_function *fn = found->v[i];
      if (i && fn == found->v[i - 1])
	continue;
      if (lp_intmap_get (&there, (uintptr_t) fn) >= 0)
	{
	  n += !only_inlined && !wanted_before (fn);
	  continue;
	}
      fn->only_inlined = only_inlined;
      result = lp_vec_push (out, fn);
      n++;
    }
  lp_intmap_free (&there);
  return result ? lp_nomem (err) : (int) n;
}

int
lp_select (lp_module *mod, const char *text, lp_function_list *out,
	   lp_error *err)
{
  lp_pattern pattern;
  if (lp_pattern_parse (text, &pattern))
    return lp_nomem (err);
  struct search s = { .mod = mod, .pattern = &pattern, .err = err };
  int result = search (&s) ? -1 : lp_select_append (&s.found, false, out, err);
  lp_vec_free (&s.found);
  lp_pattern_free (&pattern);
  return result;
}

int
lp_select_default (lp_module *mod, lp_function_list *out, lp_error *err)
{
  lp_function_list found = { 0 };
  lp_function **functions;
  size_t n;
  if (lp_module_functions (mod, &functions, &n, err))
    return -1;
  int result = 0;
  for (size_t i = 0; i < n && !result; i++)
    if (mod->dwarf->units.v[functions[i]->unit].has_lines
	&& !mod->files.v[functions[i]->file].system)
      result = lp_vec_push (&found, functions[i]) ? lp_nomem (err) : 0;
  if (!result)
    result = lp_select_append (&found, false, out, err);
  lp_vec_free (&found);
  return result;
}

int
lp_select_entry (lp_module *mod, uint64_t entry, lp_function_list *out,
		 lp_error *err)
{
  lp_function_list found = { 0 };
  lp_function *fn;
  lp_dwarf *dw = lp_dwarf_open (mod, err);
  if (!dw || lp_function_at (dw, entry, &fn, err))
    return -1;
  if (!fn || fn->entry != entry)
    return lp_fail (err, LP_ENOMATCH, "no function of '%s' with line information "
		    "starts at 0x%" PRIx64, mod->path, entry);
  int bad = lp_vec_push (&found, fn) ? lp_nomem (err)
	    : lp_select_append (&found, false, out, err) < 0;
  lp_vec_free (&found);
  return bad ? -1 : 0;
}
