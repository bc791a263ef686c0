/* explain.c: plans as text.  */

#include "probe/explain.h"

#include <string.h>

const char *
lp_explain_file (const lp_module *mod, uint32_t file)
{
  size_t n;
  const lp_file *files = lp_module_files (mod, &n);
  return basename (files[file].path);
}

static void
print_counter (FILE *out, const lp_counter *c)
{
  if (c->from)
    fprintf (out, "[%#lx -> %#lx]", (unsigned long) c->from,
	     (unsigned long) c->addr);
  else
    fprintf (out, "[%#lx]", (unsigned long) c->addr);
}

void
lp_explain_lines (FILE *out, const lp_module *mod, const lp_plan *plan)
{
  const lp_hits *hits = &plan->hits;
  fprintf (out, "%s: %zu rows, %zu lines, %zu counters\n", plan->fn->name,
	   plan->fn->nrows, hits->lines.n, hits->counters.n);
  for (size_t i = 0; i < hits->lines.n; i++)
    {
      const lp_hit_line *line = &hits->lines.v[i];
      if (line->inl >= LP_HIT_REST || (plan->calls && line->line))
	continue;
      if (line->line == 0)
	fprintf (out, "  %s entered =%s", plan->fn->inlines[line->inl - 1].name,
		 line->exact ? "" : " about");
      else
	fprintf (out, "  %s:%u: hits =%s", lp_explain_file (mod, line->file),
		 line->line, line->exact ? "" : " about");
      for (uint32_t t = 0; t < line->nterms; t++)
	{
	  fputs (t >= line->nterms - line->nminus ? " - " : t ? " + " : " ", out);
	  print_counter (out,
			 &hits->counters.v[hits->terms.v[line->first_term + t]]);
	}
      fputs (line->nterms ? "\n" : " 0\n", out);
    }
}

static const char *
engine_name (enum lp_plan_engine engine)
{
  static const char *const names[] = { "clone", "breakpoint", "refused" };
  return names[engine];
}

static void
print_kinds (FILE *out, unsigned kind)
{
  static const char *const names[] = { "entry", "return", "table", "pointer",
				       "landing", "outside" };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (kind >> i & 1)
      fprintf (out, " %s", names[i]);
}

void
lp_explain_plan (FILE *out, const lp_plan *plan)
{
  fprintf (out, "%s: %s", plan->fn->name, engine_name (plan->engine));
  if (plan->reason[0])
    fprintf (out, " (%s)", plan->reason);
  fprintf (out, ", %zu instructions, %zu blocks\n", plan->flow.insns.n,
	   plan->flow.blocks.n);
  for (size_t i = 0; i < plan->fn->nranges; i++)
    fprintf (out, "  range %#lx to %#lx\n",
	     (unsigned long) plan->fn->ranges[i].lo,
	     (unsigned long) plan->fn->ranges[i].hi);
  for (size_t i = 0; i < plan->flow.entries.n; i++)
    {
      fprintf (out, "  %#lx:", (unsigned long) plan->flow.entries.v[i].addr);
      print_kinds (out, plan->flow.entries.v[i].kind);
      fputc ('\n', out);
    }
  for (size_t i = 0; i < plan->flow.insns.n; i++)
    if (lp_plan_callee (plan, i))
      fprintf (out, "  %#lx: calls %s\n",
	       (unsigned long) plan->flow.insns.v[i].addr,
	       lp_plan_callee (plan, i)->name);
  for (size_t i = 0; i < plan->hits.marks.n; i++)
    {
      const lp_mark *m = &plan->hits.marks.v[i];
      const lp_hit_line *line = &plan->hits.lines.v[m->line];
      fprintf (out, "  %#lx: ", (unsigned long) m->addr);
      if (plan->calls)
	fprintf (out, "%s", line->inl ? plan->fn->inlines[line->inl - 1].name
		 : plan->fn->name);
      else if (line->inl == LP_HIT_AGAIN)
	fprintf (out, "line %u, calls its own function",
		 plan->hits.lines.v[line->line - 1].line);
      else
	fprintf (out, "line %u", line->line);
      fprintf (out, "%s\n", m->timed ? ", timed" : "");
    }
}

void
lp_explain_sites (FILE *out, const lp_plan *plan)
{
  static const char *const names[] = { "none", "springboard", "island", "home",
				       "call", "pun", "trap" };
  fprintf (out, "%s: %zu sites\n", plan->fn->name, plan->sites.n);
  for (size_t i = 0; i < plan->sites.n; i++)
    {
      const lp_site *s = &plan->sites.v[i];
      fprintf (out, "  %#lx: %s", (unsigned long) s->addr,
	       names[s->tactic]);
      if (s->tactic == LP_TACTIC_ISLAND)
	fprintf (out, " at %#lx%s%s", (unsigned long) s->island,
		 s->host ? " in " : "", s->host ? s->host->fn->name : "");
      fputs (" for", out);
      print_kinds (out, s->kind);
      fputc ('\n', out);
    }
  for (size_t i = 0; plan->away && i < plan->flow.insns.n; i++)
    if (plan->away[i])
      fprintf (out, "  %#lx: call made from the clone\n",
	       (unsigned long) plan->flow.insns.v[i].addr);
}

static void
disassemble (FILE *out, struct lp_decoder *decoder, const uint8_t *bytes,
	     size_t n, uint64_t addr)
{
  char text[160];
  for (size_t i = 0; i < n;)
    {
      unsigned len = lp_disassemble (decoder, bytes + i, n - i, addr + i, text,
				     sizeof text);
      fprintf (out, "  %#lx: %s\n", (unsigned long) (addr + i),
	       len ? text : "(data)");
      i += len ? len : n - i;
    }
}

void
lp_explain_code (FILE *out, struct lp_decoder *decoder, const lp_text *text,
		 size_t from, size_t patch)
{
  disassemble (out, decoder, text->code.buf + from, text->code.n - from,
	       text->code.base + from);
  for (; patch < text->patches.n; patch++)
    {
      const lp_patch *p = &text->patches.v[patch];
      fputs ("  patch\n", out);
      disassemble (out, decoder, p->new, p->len, p->addr);
    }
}
