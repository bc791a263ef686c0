/* explain.c: every stage of the pipeline, printed instead of run.  */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/pool.h"
#include "libraries.h"
#include "probe/explain.h"
#include "probe/places.h"

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
  lp_text_free (&text);
  return 0;
}

/* The instances of inlined functions that are selected in FN.  */
static void
explain_inlined (const lp_prepared *p, const lp_function *fn, FILE *out)
{
  for (size_t i = 0; i < fn->ninlines; i++)
    {
      const lp_inline *inl = &fn->inlines[i];
      if (inl->wanted)
	fprintf (out, "%#lx %s:%u: %s, inlined at %s:%u into %s\n",
		 (unsigned long) (inl->nranges ? inl->ranges[0].lo : fn->entry),
		 lp_explain_file (p->mod, inl->decl_file), inl->decl_line,
		 inl->name, lp_explain_file (p->mod, inl->call_file),
		 inl->call_line, fn->name);
    }
}

static void
explain_functions (const lp_prepared *p, FILE *out)
{
  for (size_t i = 0; i < p->functions.n; i++)
    {
      const lp_function *fn = p->functions.v[i];
      explain_inlined (p, fn, out);
      if (fn->only_inlined)
	continue;
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

static int
explain (const lp_prepared *p, enum lp_stage stage, FILE *out, lp_error *err)
{
  if (stage != LP_STAGE_FUNCTIONS)
    return explain_plans (p, stage, out, err);
  explain_functions (p, out);
  return 0;
}

/* Libraries.  Which ones a program loads only its loader knows: it is let do that,
   and the program is ended before any code of its own has run.  */

static int
on_loaded (void *arg, lp_process *proc, lp_error *err)
{
  lp_follow *follow = arg;
  follow->refused = lp_libraries_learn (follow, follow->programs, proc,
					&follow->why)
		    || lp_libraries_check (follow, &follow->why);
  kill (lp_process_pid (proc), SIGKILL);
  (void) err;
  return 0;
}

static int
load (lp_follow *follow, const char *path, const char *program, lp_error *err)
{
  char *argv[] = { (char *) program, NULL };
  const lp_launch launch = { .path = path, .argv = argv };
  const lp_hooks hooks = { .arg = follow, .loaded = on_loaded };
  int status;
  lp_target *target = lp_target_launch (&launch, err);
  if (!target)
    return -1;
  int bad = lp_target_run (target, &hooks, &status, err);
  lp_target_free (target);
  if (!follow->refused)
    return bad;
  *err = follow->why;
  return -1;
}

static int
explain_libraries (lp_follow *follow, const char *path, const char *program,
		   enum lp_stage stage, FILE *out, lp_error *err)
{
  if (lp_follow_prepare (follow, path, err)
      || load (follow, path, program, err)
      || explain (&follow->programs->prepared, stage, out, err))
    return -1;
  for (lp_library *l = follow->programs->libraries; l; l = l->next)
    if (l->usable)
      {
	fprintf (out, "%s:\n", lp_module_path (l->prepared.mod));
	if (explain (&l->prepared, stage, out, err))
	  return -1;
      }
  if (lp_libraries_conclude (follow))
    return lp_nomem (err);
  for (size_t i = 0; i < follow->notes.n; i++)
    fprintf (out, "Note: %s\n", follow->notes.v[i]);
  return 0;
}

static int
explain_program (const char *path, const lp_prepare_options *select,
		 enum lp_stage stage, FILE *out, lp_error *err)
{
  lp_prepared p;
  if (stage == LP_STAGE_FUNCTIONS
      ? lp_prepare_select (&p, path, select, err)
      : lp_prepare (&p, path, select, lp_pool_first_cell (), err))
    return -1;
  int bad = explain (&p, stage, out, err);
  lp_prepared_free (&p);
  return bad;
}

int
lp_session_explain (const char *program, const lp_session_options *options,
		    enum lp_stage stage, FILE *out, lp_error *err)
{
  lp_follow follow = { .options = options };
  /* A library need not be executable.  */
  char *path = strchr (program, '/') && access (program, R_OK) == 0
	       ? strdup (program) : lp_find_program (program, err);
  if (!path)
    return -1;
  int bad = lp_prepare_names_libraries (&options->select)
	    ? explain_libraries (&follow, path, program, stage, out, err)
	    : explain_program (path, &options->select, stage, out, err);
  lp_follow_free (&follow);
  free (path);
  return bad;
}
