/* input.h: lines of standard input.  On a terminal they can be edited and
   completed, and a history of them is kept in
   ${XDG_STATE_HOME:-~/.local/state}/lineprof/history.  */

#ifndef KERNPROF_INPUT_H
#define KERNPROF_INPUT_H

/* The words that may stand at START in LINE, NULL behind the last; or NULL: names
   of files.  Static.  */
typedef const char *const *input_words (const char *line, int start);

void input_start (input_words *words);

/* The next line without its end, asked for with PROMPT; free it.  NULL at the end
   of the input.  */
char *input_line (const char *prompt);

/* Keep the history.  */
void input_end (void);

#endif
