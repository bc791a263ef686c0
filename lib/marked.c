/* marked.c: from notes in a module to a choice of functions.  */

#include "marked.h"

#include <string.h>

#include "debug/marks.h"

/* Add what MARK means, or say why it means nothing.  */
static int
select_mark (lp_prepared *p, const lp_source_mark *mark, lp_error *err)
{
  lp_error why = { 0 };
  int n = lp_select_mark (p->mod, mark, &p->functions, &why);
  if (n < 0)
    *err = why;
  if (n != 0 || !why.code)
    return n < 0 ? -1 : 0;
  char *text = strdup (why.text);
  return !text || lp_vec_push (&p->vanished, text) ? lp_nomem (err) : 0;
}

int
lp_marked_select (lp_prepared *p, bool *any, lp_error *err)
{
  lp_source_mark_list marks = { 0 };
  int bad = lp_module_marks (p->mod, &marks, err);
  for (size_t i = 0; i < marks.n && !bad; i++)
    bad = select_mark (p, &marks.v[i], err);
  *any = marks.n > 0;
  lp_vec_free (&marks);
  return bad;
}

int
lp_marked_none (const lp_prepared *p, lp_error *err)
{
  return lp_fail (err, LP_ENOMATCH, "%s", p->vanished.v[0]);
}
