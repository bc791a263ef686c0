/* explain.c: kernprof --explain=WHAT PROG: print a stage, run nothing.  */

#include "kernprof.h"

int
kernprof_explain (const struct options *options, char **argv)
{
  static const enum lp_stage stages[] = {
    [EXPLAIN_FUNCTIONS] = LP_STAGE_FUNCTIONS,
    [EXPLAIN_LINES] = LP_STAGE_LINES, [EXPLAIN_PLAN] = LP_STAGE_PLAN,
    [EXPLAIN_CODE] = LP_STAGE_CODE, [EXPLAIN_SITES] = LP_STAGE_SITES };
  lp_error err = { 0 };
  lp_session_options session = kernprof_session_options (options);
  if (lp_session_explain (argv[0], &session, stages[options->explain], stdout,
			  &err))
    return kernprof_complain (&err, kernprof_status_of (&err));
  return 0;
}
