/* inlined.c: the instances of inlined functions that a pattern means.  */

#include "debug/inlined.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug/mention.h"
#include "debug/names.h"
#include "debug/pattern.h"

struct hunt
{
  lp_module *mod;
  lp_dwarf *dw;
  const lp_pattern *pattern;	/* NULL: the default */
  const char *name;		/* of the pattern, when it is one */
  bool glob;
  const char *key;		/* what stands in the name of each function that is meant, or
				   NULL */
  uint32_t unit;		/* that is gone through */
  lp_intmap known;		/* origins that were asked about -> are they meant? */
  uint32_t file, line;		/* what is declared there; line 0: by pattern */
  LP_VEC (int8_t) verdicts;	/* of each origin: wanted 1, not -1, not asked yet 0 */
  lp_function_list found;	/* what holds instances */
  size_t n;			/* instances */
  lp_error *err;
};

static bool
is_declared_in_file (const struct hunt *h, const lp_inline *inl)
{
  return lp_pattern_has_file (h->pattern, h->mod->files.v[inl->decl_file].path);
}

/* Does H want the function that INL is an instance of?  */
static bool
is_meant (const struct hunt *h, const lp_inline *inl)
{
  if (inl->decl_line == 0)
    return false;
  if (h->line)
    return inl->decl_file == h->file && inl->decl_line == h->line;
  if (!h->pattern)
    return !h->mod->files.v[inl->decl_file].system;
  if (h->pattern->file && !(h->pattern->maybe_name && h->name)
      && !is_declared_in_file (h, inl))
    return false;
  return !h->name || (h->glob ? lp_name_globs (h->name, inl->name)
		      : lp_name_matches (h->name, inl->name));
}

/* The same, asked once for each origin.  -1: out of memory.  */
static int
verdict (struct hunt *h, const lp_inline *inl)
{
  size_t old = h->verdicts.n;
  if (inl->origin >= old)
    {
      if (lp_vec_reserve (&h->verdicts, h->dw->origins.n - old))
	return lp_nomem (h->err);
      memset (h->verdicts.v + old, 0, h->dw->origins.n - old);
      h->verdicts.n = h->dw->origins.n;
    }
  int8_t *v = &h->verdicts.v[inl->origin];
  if (*v == 0)
    *v = is_meant (h, inl) ? 1 : -1;
  return *v > 0;
}

/* May the function at ORIGIN be meant?  Its name need not be made up where it has not
   what all have.  */
static int
may_be_meant (struct hunt *h, Dwarf_Die *origin)
{
  Dwarf_Attribute attr;
  const char *own = dwarf_formstring (dwarf_attr_integrate (origin, DW_AT_name, &attr));
  if (h->key && own && !strstr (own, h->key))
    return 0;
  lp_unit *unit = &h->dw->units.v[h->unit];
  lp_inline inl = { .name = lp_origin_name (h->dw, origin),
		    .decl_file = lp_die_file (h->dw, unit, origin, DW_AT_decl_file),
		    .decl_line = lp_die_number (origin, DW_AT_decl_line) };
  return !inl.name || inl.decl_file == LP_NO_FILE ? lp_nomem (h->err)
    : is_meant (h, &inl);
}

/* The same for lp_holds_inlined, asked once for each.  */
static int
asks_for (void *arg, Dwarf_Die *origin)
{
  struct hunt *h = arg;
  int64_t known = lp_intmap_get (&h->known, (uintptr_t) origin->addr);
  if (known >= 0)
    return known;
  int meant = may_be_meant (h, origin);
  if (meant >= 0 && lp_intmap_put (&h->known, (uintptr_t) origin->addr, meant))
    return lp_nomem (h->err);
  return meant;
}

/* The same where only the key is known.  */
static int
has_key (void *arg, Dwarf_Die *origin)
{
  Dwarf_Attribute attr;
  const char *own = dwarf_formstring (dwarf_attr_integrate (origin, DW_AT_name, &attr));
  return !own || strstr (own, arg);
}

/* Does FN of unit number U hold instances of what has the name KEY?  More than these is
   possible.  -1 on an error.  */
static int
may_hold_key (lp_dwarf *dw, lp_function *fn, const char *key, lp_error *err)
{
  bool known;
  if (lp_unit_holders (dw, fn->unit, key, &known, err))
    return -1;
  return known ? lp_is_holder (&dw->units.v[fn->unit], fn)
    : lp_holds_inlined (dw, fn, has_key, (void *) key, err);
}

int
lp_inlined_ahead (lp_dwarf *dw, uint32_t u, lp_error *err)
{
  lp_unit *unit = &dw->units.v[u];
  const char *key = lp_mentions_expected (dw);
  if (!key || unit->has_expected)
    return 0;
  for (size_t i = 0; i < unit->functions.n; i++)
    {
      lp_function *fn = unit->functions.v[i];
      int holds = fn->inlines ? 0 : may_hold_key (dw, fn, key, err);
      if (holds < 0 || (holds && lp_fill_inlines (dw, fn, err)))
	return -1;
    }
  unit->has_expected = true;
  return 0;
}

/* Has FN surely no instance that is meant: were those with the key looked for?  */
static bool
was_passed (const struct hunt *h, const lp_function *fn)
{
  const char *key = lp_mentions_expected (h->dw);
  return !fn->inlines && h->key && key && strcmp (h->key, key) == 0
    && h->dw->units.v[fn->unit].has_expected;
}

/* Want what is meant of FN's instances.  */
static int
hunt_function (struct hunt *h, lp_function *fn)
{
  size_t before = h->n;
  int holds = fn->inlines || !h->key ? 1
    : was_passed (h, fn) ? 0
    : lp_holds_inlined (h->dw, fn, asks_for, h, h->err);
  if (holds <= 0)
    return holds;
  if (lp_fill_inlines (h->dw, fn, h->err))
    return -1;
  for (size_t i = 0; i < fn->ninlines; i++)
    {
      int meant = verdict (h, &fn->inlines[i]);
      if (meant < 0)
	return -1;
      fn->inlines[i].wanted |= meant;
      h->n += meant;
    }
  return h->n > before && lp_vec_push (&h->found, fn) ? lp_nomem (h->err) : 0;
}

static int
hunt_unit (struct hunt *h, uint32_t u)
{
  lp_unit *unit = &h->dw->units.v[u];
  if (!unit->has_lines)
    return 0;
  h->unit = u;
  bool known = false;
  if (h->key && lp_unit_holders (h->dw, u, h->key, &known, h->err))
    return -1;
  if (known && !unit->holders.n)
    return 0;
  if (lp_unit_functions (h->dw, u, h->err))
    return -1;
  for (size_t i = 0; i < unit->functions.n; i++)
    if ((!known || lp_is_holder (unit, unit->functions.v[i]))
	&& hunt_function (h, unit->functions.v[i]))
      return -1;
  return 0;
}

/* May unit U hold instances of what is meant?  */
static bool
may_hold (const struct hunt *h, uint32_t u, const bool *mentions)
{
  const lp_pattern *p = h->pattern;
  if (mentions)
    return mentions[u];
  return !p || !p->file || h->name
    || lp_unit_may_have (h->dw, &h->dw->units.v[u], p);
}

static int
hunt_units (struct hunt *h, const bool *mentions)
{
  for (uint32_t u = 0; u < h->dw->units.n; u++)
    if (may_hold (h, u, mentions))
      {
	if (hunt_unit (h, u))
	  return -1;
	lp_unit_release (h->dw, u);
      }
  return 0;
}

/* Through the units that tell of NAME.  */
static int
hunt_mentions (struct hunt *h, const char *name)
{
  bool whole, *mentions = calloc (h->dw->units.n + 1, sizeof *mentions);
  char *key = lp_pattern_word (name, &whole);
  h->key = whole ? key : NULL;
  int bad = !mentions || !key ? lp_nomem (h->err)
    : lp_units_mentioning (h->dw, key, whole, mentions, h->err)
      || hunt_units (h, mentions) ? -1 : 0;
  h->key = NULL;
  lp_intmap_free (&h->known);
  free (mentions);
  free (key);
  return bad;
}

/* Through the units that tell of the pattern's name.  */
static int
hunt_name (struct hunt *h, const char *name)
{
  h->name = name;
  h->glob = lp_is_glob (name);
  h->verdicts.n = 0;		/* those were of files */
  return hunt_mentions (h, name);
}

/* Want the instances of whatever has code of its own for the pattern's line.  */
static int
hunt_declared (struct hunt *h, const lp_inline *inl)
{
  struct hunt same = *h;
  same.pattern = NULL;
  same.file = inl->decl_file;
  same.line = inl->decl_line;
  same.verdicts.v = NULL;
  same.verdicts.n = same.verdicts.cap = 0;
  int bad = hunt_units (&same, NULL);
  lp_vec_free (&same.verdicts);
  h->found = same.found;
  h->n = same.n;
  return bad;
}

static int
hunt_line_in (struct hunt *h, lp_function *fn)
{
  if (lp_module_rows (h->mod, fn, h->err))
    return -1;
  for (size_t i = 0; i < fn->nrows; i++)
    {
      const lp_row *row = &fn->rows[i];
      const lp_inline *inl = row->inl ? &fn->inlines[row->inl - 1] : NULL;
      if (inl && row->line == h->pattern->line && !inl->wanted
	  && inl->decl_line
	  && lp_pattern_has_file (h->pattern, h->mod->files.v[row->file].path)
	  && hunt_declared (h, inl))
	return -1;
    }
  return 0;
}

static int
hunt_line (struct hunt *h)
{
  for (uint32_t u = 0; u < h->dw->units.n; u++)
    {
      lp_unit *unit = &h->dw->units.v[u];
      if (!unit->has_lines || !may_hold (h, u, NULL))
	continue;
      if (lp_unit_functions (h->dw, u, h->err))
	return -1;
      for (size_t i = 0; i < unit->functions.n; i++)
	if (hunt_line_in (h, unit->functions.v[i]))
	  return -1;
    }
  return 0;
}

static int
hunt_pattern (struct hunt *h, bool found_file)
{
  const lp_pattern *p = h->pattern;
  if (p->line)
    return hunt_line (h);
  if (p->file && !p->maybe_name)
    {
      h->name = p->name;
      h->glob = p->name && lp_is_glob (p->name);
      return hunt_units (h, NULL);
    }
  if (p->file && hunt_units (h, NULL))
    return -1;
  return p->name && !h->n && !found_file ? hunt_name (h, p->name) : 0;
}

static int
finish (struct hunt *h, int bad, lp_function_list *out, lp_error *err)
{
  if (!bad && lp_select_append (&h->found, true, out, err) < 0)
    bad = -1;
  lp_vec_free (&h->found);
  lp_vec_free (&h->verdicts);
  return bad ? -1 : (int) h->n;
}

/* Could there be instances?  A name that is nowhere is told at once.  */
static int
ask_for_name (lp_module *mod, const lp_pattern *pattern, bool *may, lp_error *err)
{
  *may = true;
  return pattern->file || !pattern->name || lp_is_glob (pattern->name) ? 0
    : lp_dwarf_has_name (mod, pattern->name, may, err);
}

/* Is something of OUT declared in PATTERN's file?  Then it is a file's name.  */
static bool
has_file_of (const lp_module *mod, const lp_pattern *pattern,
	     const lp_function_list *out)
{
  for (size_t i = 0; pattern->file && i < out->n; i++)
    if (!out->v[i]->only_inlined
	&& lp_pattern_has_file (pattern, mod->files.v[out->v[i]->file].path))
      return true;
  return false;
}

int
lp_select_inlined (lp_module *mod, const char *text, lp_function_list *out,
		   lp_error *err)
{
  lp_pattern pattern = { 0 };
  struct hunt h = { .mod = mod, .err = err };
  bool may = true;
  if (text && lp_pattern_parse (text, &pattern))
    return lp_nomem (err);
  h.pattern = text ? &pattern : NULL;
  int bad = text ? ask_for_name (mod, &pattern, &may, err) : 0;
  if (!bad && may)
    bad = !(h.dw = lp_dwarf_open (mod, err)) ? -1
      : text ? hunt_pattern (&h, has_file_of (mod, &pattern, out))
      : hunt_units (&h, NULL);
  bad = finish (&h, bad, out, err);
  lp_pattern_free (&pattern);
  return bad;
}

int
lp_select_inlined_at (lp_module *mod, uint32_t file, uint32_t line,
		      const char *name, lp_function_list *out, lp_error *err)
{
  struct hunt h = { .mod = mod, .dw = lp_dwarf_open (mod, err), .file = file,
    .line = line, .err = err };
  if (!h.dw)
    return -1;
  return finish (&h, name ? hunt_mentions (&h, name) : hunt_units (&h, NULL), out,
		 err);
}

/* Units are to be searched for NAME.  */
static int
expect_name (lp_module *mod, const char *name, lp_error *err)
{
  bool whole;
  char *key = lp_pattern_word (name, &whole);
  int bad = !key ? lp_nomem (err) : whole ? lp_debug_find (mod, err) : 0;
  if (!bad && whole)
    lp_mentions_expect (mod->dwarf, key);
  free (key);
  return bad;
}

int
lp_select_expect (lp_module *mod, const char *text, lp_error *err)
{
  lp_pattern pattern;
  if (lp_pattern_parse (text, &pattern))
    return lp_nomem (err);
  int bad = pattern.maybe_name ? expect_name (mod, pattern.name, err) : 0;
  lp_pattern_free (&pattern);
  return bad;
}

void
lp_select_forget (lp_module *mod)
{
  const lp_dwarf *dw = mod->dwarf;
  for (size_t i = 0; dw && i < dw->functions.n; i++)
    {
      dw->functions.v[i]->only_inlined = false;
      for (size_t k = 0; k < dw->functions.v[i]->ninlines; k++)
	dw->functions.v[i]->inlines[k].wanted = false;
    }
}
