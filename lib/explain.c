/* explain.c: every stage of the pipeline, printed instead of run.  */

#include <stdlib.h>
#include <string.h>

#include "collect/pool.h"
#include "probe/explain.h"
#include "session.h"
#include "target/target.h"

/* Where the clone would be, for --explain=code: the module at its own
   addresses, the code area 1 MiB behind its end.  */
static int
make_text (const lp_prepared *p, lp_text *text, lp_error *err)
{
  size_t nsegments, size = 4096;
  const lp_segment *seg = lp_module_segments (p->mod, &nsegments);
  uint64_t end = nsegments ? seg[nsegments - 1].hi : 0;
  for (size_t i = 0; i < p->plans.n; i++)
    size += lp_clone_size (&p->plans.v[i]);
  *text = (lp_text) { .env = { .slot = -8, .timed = true } };
  text->code.buf = malloc (size);
  text->code.cap = size;
  text->code.base = (end + (2 << 20)) & ~(uint64_t) 0xfff;
  text->env.thunk_entry = text->env.thunk_exit = text->env.thunk_resync
    = text->code.base - 4096;
  return text->code.buf ? 0 : lp_nomem (err);
}

static int
explain_code (const lp_prepared *p, FILE *out, lp_error *err)
{
  lp_text text;
  struct lp_decoder *decoder = lp_decoder_new (err);
  if (!decoder || make_text (p, &text, err))
    {
      lp_decoder_free (decoder);
      return -1;
    }
  for (size_t i = 0; i < p->plans.n; i++)
    {
      lp_error why = { 0 };
      const lp_plan *plan = &p->plans.v[i];
      size_t from = text.code.n, patch = text.patches.n;
      fprintf (out, "%s:\n", plan->fn->name);
      if (plan->engine == LP_PLAN_NONE)
	fprintf (out, "  refused: %s\n", plan->reason);
      else if (lp_clone_emit (&text, p->mod, plan, &why))
	fprintf (out, "  refused: %s\n", why.text);
      else
	lp_explain_code (out, decoder, &text, from, patch);
    }
  lp_decoder_free (decoder);
  free (text.code.buf);
  lp_vec_free (&text.patches);
  lp_vec_free (&text.traps);
  return 0;
}

static void
explain_functions (const lp_prepared *p, FILE *out)
{
  for (size_t i = 0; i < p->functions.n; i++)
    {
      const lp_function *fn = p->functions.v[i];
      fprintf (out, "%#lx %s:%u: %s", (unsigned long) fn->entry,
	       lp_explain_file (p->mod, fn->file), fn->line, fn->name);
      if (fn->linkage && strcmp (fn->linkage, fn->name) != 0)
	fprintf (out, " [%s]", fn->linkage);
      if (fn->aliases)
	fprintf (out, " = %s", fn->aliases);
      fputc ('\n', out);
    }
}

static int
explain_plans (const lp_prepared *p, enum lp_stage stage, FILE *out,
	       lp_error *err)
{
  if (stage == LP_STAGE_CODE)
    return explain_code (p, out, err);
  for (size_t i = 0; i < p->plans.n; i++)
    {
      const lp_plan *plan = &p->plans.v[i];
      if (stage == LP_STAGE_LINES)
	lp_explain_lines (out, p->mod, plan);
      else if (stage == LP_STAGE_PLAN)
	lp_explain_plan (out, plan);
      else
	lp_explain_sites (out, plan);
    }
  return 0;
}

int
lp_session_explain (const char *program, const lp_session_options *options,
		    enum lp_stage stage, FILE *out, lp_error *err)
{
  lp_prepared p;
  char *path = lp_find_program (program, err);
  if (!path)
    return -1;
  int bad = stage == LP_STAGE_FUNCTIONS
	    ? lp_prepare_select (&p, path, &options->select, err)
	    : lp_prepare (&p, path, &options->select, lp_pool_first_cell (),
			  err);
  free (path);
  if (bad)
    return -1;
  if (stage == LP_STAGE_FUNCTIONS)
    explain_functions (&p, out);
  else
    bad = explain_plans (&p, stage, out, err);
  lp_prepared_free (&p);
  return bad;
}
