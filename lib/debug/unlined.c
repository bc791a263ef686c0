/* unlined.c: functions of a module that has no line information.  */

#include "debug/unlined.h"

#include <stdlib.h>
#include <string.h>

#include "debug/dwarf.h"
#include "debug/names.h"
#include "debug/pattern.h"

/* What a linker adds to every program.  */
static bool
is_start_code (const char *name)
{
  static const char *const names[] = {
    "_start", "_init", "_fini", "deregister_tm_clones", "register_tm_clones",
    "__do_global_dtors_aux", "frame_dummy", "_dl_relocate_static_pie",
    "__libc_csu_init", "__libc_csu_fini"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

/* `f.cold' is a part of f that f jumps to.  */
static bool
is_cold (const char *name)
{
  const char *suffix = strstr (name, ".cold");
  return suffix && (suffix[5] == '\0' || suffix[5] == '.');
}

static bool
is_function (const lp_module *mod, const lp_symbol *symbol)
{
  return symbol->type == STT_FUNC && symbol->size > 0
	 && lp_module_is_code (mod, symbol->value)
	 && !is_start_code (symbol->name);
}

/* The function of SYMBOL, the same each time; NULL when out of memory.  */
static lp_function *
function_of (lp_dwarf *dw, const lp_symbol *symbol)
{
  lp_arena *arena = dw->mod->arena;
  int64_t known = lp_intmap_get (&dw->entry_index, symbol->value);
  if (known >= 0)
    return dw->functions.v[known];
  lp_function *fn = lp_arena_alloc (arena, sizeof *fn);
  lp_range *range = lp_arena_alloc (arena, sizeof *range);
  if (!fn || !range)
    return NULL;
  *range = (lp_range) { symbol->value, symbol->value + symbol->size };
  *fn = (lp_function) { .entry = symbol->value, .ranges = range, .nranges = 1,
			.file = lp_file_index (dw, "", NULL) };
  if (fn->file == LP_NO_FILE || lp_name_function (dw, NULL, "", fn, NULL)
      || lp_intmap_put (&dw->entry_index, fn->entry, dw->functions.n)
      || lp_vec_push (&dw->functions, fn))
    return NULL;
  return fn;
}

/* Give FN the part that COLD names.  */
static int
add_part (lp_module *mod, lp_function *fn, const lp_symbol *cold)
{
  lp_range *ranges
    = lp_arena_alloc (mod->arena, (fn->nranges + 1) * sizeof *ranges);
  if (!ranges)
    return -1;
  memcpy (ranges, fn->ranges, fn->nranges * sizeof *ranges);
  ranges[fn->nranges++]
    = (lp_range) { cold->value, cold->value + cold->size };
  fn->ranges = ranges;
  return 0;
}

/* Is COLD a part of FN?  Where several static functions have the name, nobody
   knows of which.  */
static bool
is_part_of (const lp_module *mod, const lp_symbol *cold, const lp_function *fn)
{
  size_t n = strstr (cold->name, ".cold") - cold->name, same = 0;
  if (!fn->linkage || strncmp (fn->linkage, cold->name, n) != 0
      || fn->linkage[n])
    return false;
  for (size_t i = 0; i < mod->symbols.n; i++)
    same += strcmp (mod->symbols.v[i].name, cold->name) == 0;
  return same == 1;
}

static int
add_parts (lp_module *mod, lp_function **v, size_t n)
{
  for (size_t i = 0; i < mod->symbols.n; i++)
    {
      const lp_symbol *cold = &mod->symbols.v[i];
      for (size_t k = 0; is_cold (cold->name) && cold->size && k < n; k++)
	if (is_part_of (mod, cold, v[k]) && add_part (mod, v[k], cold))
	  return -1;
    }
  return 0;
}

static bool
is_meant (const lp_function *fn, const lp_pattern *pattern)
{
  return !pattern->file && pattern->name
	 && (strpbrk (pattern->name, "*?[")
	     ? lp_name_globs (pattern->name, fn->name)
	     : lp_name_matches (pattern->name, fn->name));
}

static bool
has (const lp_function_list *list, const lp_function *fn)
{
  for (size_t i = 0; i < list->n; i++)
    if (list->v[i] == fn)
      return true;
  return false;
}

/* Symbols are in the order of addresses; one that starts inside of the function
   before is another entry of it.  */
static int
collect (lp_module *mod, const lp_pattern *pattern, lp_function_list *out,
	 size_t before)
{
  uint64_t end = 0;
  lp_function_list old = { .v = out->v, .n = before };
  for (size_t i = 0; i < mod->symbols.n; i++)
    {
      const lp_symbol *symbol = &mod->symbols.v[i];
      if (!is_function (mod, symbol) || symbol->value < end
	  || is_cold (symbol->name))
	continue;
      end = symbol->value + symbol->size;
      lp_function *fn = function_of (mod->dwarf, symbol);
      old.v = out->v;
      if (!fn || ((!pattern || is_meant (fn, pattern)) && !has (&old, fn)
		  && lp_vec_push (out, fn)))
	return -1;
    }
  return add_parts (mod, out->v + before, out->n - before);
}

int
lp_select_unlined (lp_module *mod, const char *text, lp_function_list *out,
		   lp_error *err)
{
  lp_pattern pattern = { 0 };
  size_t before = out->n;
  if (lp_debug_find (mod, err))
    return -1;
  if (text && lp_pattern_parse (text, &pattern))
    return lp_nomem (err);
  int bad = collect (mod, text ? &pattern : NULL, out, before);
  lp_pattern_free (&pattern);
  return bad ? lp_nomem (err) : (int) (out->n - before);
}
