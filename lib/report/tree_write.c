/* tree_write.c: a call tree as text and as JSON.  */

#include "report/tree.h"

#include "profile/json.h"
#include "report/put.h"

struct text
{
  FILE *out;
  int64_t total;
};

/* A time and its share of all.  */
static void
put_time (const struct text *text, int64_t ns)
{
  fprintf (text->out, " %8.3f", (double) ns / 1e9);
  if (text->total)
    fprintf (text->out, " %6.1f", 100.0 * (double) ns / (double) text->total);
  else
    fprintf (text->out, " %6s", "");
}

static void
put_branch (void *arg, const lp_tree *tree, const lp_path *branch)
{
  const struct text *text = arg;
  if (branch->untimed && !branch->below)
    fprintf (text->out, "%*s", 32, "");
  else
    {
      put_time (text, branch->below);
      put_time (text, branch->own);
    }
  fprintf (text->out, " %9lld  %*s", (long long) branch->calls,
	   (int) branch->depth * 2, "");
  lp_put (text->out, tree->labels->rows.v[branch->row].label);
  fputc ('\n', text->out);
}

static void
put_left (void *arg, uint32_t depth, size_t n, int64_t time)
{
  const struct text *text = arg;
  put_time (text, time);
  fprintf (text->out, " %15s %9s  %*s(%zu more)\n", "", "", (int) depth * 2, "",
	   n);
}

int
lp_tree_write (const lp_profile *profile, long part,
	       const lp_tree_options *options, FILE *out, lp_error *err)
{
  lp_tree tree;
  if (lp_tree_make (&tree, profile, part, options->strip_dirs, err))
    return -1;
  struct text text = { .out = out, .total = tree.total };
  fprintf (out, "%.3f seconds", (double) tree.total / 1e9);
  if (options->cut > 0)
    fprintf (out, "; calls with less than %g%% of them are summed as `more'",
	     options->cut * 100);
  fputs ("\n\n  cumtime      %  tottime      %    ncalls  "
	 "filename:lineno(function)\n", out);
  lp_tree_visit (&tree, options,
		 &(lp_tree_visitor) { put_branch, put_left, &text });
  fputc ('\n', out);
  lp_tree_free (&tree);
  return 0;
}

static void
add_branch (void *arg, const lp_tree *tree, const lp_path *branch)
{
  json_t **array = arg, *o = json_object ();
  const lp_stat_row *row = &tree->labels->rows.v[branch->row];
  lp_json_put (&o, "depth", json_integer (branch->depth));
  lp_json_put (&o, "function", lp_json_text (row->name));
  lp_json_put (&o, "file", lp_json_text (row->file));
  lp_json_put (&o, "line", json_integer (row->line));
  lp_json_put (&o, "ncalls", json_integer (branch->calls));
  lp_json_put (&o, "tottime", json_integer (branch->own));
  lp_json_put (&o, "cumtime", json_integer (branch->below));
  if (branch->untimed)
    lp_json_put (&o, "untimed", json_true ());
  *array = lp_json_with (*array, o);
}

int
lp_tree_write_json (const lp_profile *profile, long part,
		    const lp_tree_options *options, FILE *out, lp_error *err)
{
  lp_tree tree;
  if (lp_tree_make (&tree, profile, part, options->strip_dirs, err))
    return -1;
  json_t *array = json_array ();
  lp_tree_visit (&tree, options,
		 &(lp_tree_visitor) { add_branch, NULL, &array });
  lp_tree_free (&tree);
  if (!array)
    return lp_nomem (err);
  json_dumpf (array, out, JSON_INDENT (1));
  fputc ('\n', out);
  json_decref (array);
  return 0;
}
