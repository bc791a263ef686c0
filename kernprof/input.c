/* input.c: lines of standard input, edited by libedit where it is a terminal.  */

#define _GNU_SOURCE

#include "input.h"

#include <editline/readline.h>
#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_HISTORY = 500 };

static struct
{
  bool terminal;
  char *history;		/* file's path, or NULL */
  input_words *words;
  const char *const *candidates;
} input;

/* Make the folders that PATH is in.  */
static void
make_folders (char *path)
{
  for (char *slash = path; (slash = strchr (slash + 1, '/'));)
    {
      *slash = '\0';
      mkdir (path, 0700);
      *slash = '/';
    }
}

/* Where the history is kept, or NULL.  */
static char *
history_path (void)
{
  const char *state = getenv ("XDG_STATE_HOME"), *home = getenv ("HOME");
  char *path = NULL;
  int n = -1;
  if (state && *state == '/')
    n = asprintf (&path, "%s/lineprof/history", state);
  else if (home && *home == '/')
    n = asprintf (&path, "%s/.local/state/lineprof/history", home);
  return n < 0 ? NULL : path;
}

/* libedit asks for one candidate that begins with TEXT after the other.  */
static char *
next_candidate (const char *text, int again)
{
  static size_t i;
  i = again ? i : 0;
  while (input.candidates[i])
    {
      const char *word = input.candidates[i++];
      if (strncmp (word, text, strlen (text)) == 0)
	return strdup (word);
    }
  return NULL;
}

static char **
complete (const char *text, int start, int end)
{
  (void) end;
  input.candidates = input.words (rl_line_buffer, start);
  if (!input.candidates)
    return NULL;		/* file names */
  rl_attempted_completion_over = 1;
  return rl_completion_matches (text, next_candidate);
}

void
input_start (input_words *words)
{
  input.words = words;
  input.terminal = isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  if (!input.terminal)
    return;
  rl_readline_name = "kernprof";
  rl_attempted_completion_function = complete;
  using_history ();
  stifle_history (MAX_HISTORY);
  input.history = history_path ();
  if (input.history)
    read_history (input.history);
}

char *
input_line (const char *prompt)
{
  char *line = NULL;
  size_t size = 0;
  if (input.terminal)
    {
      line = readline (prompt);
      if (line && *line)
	add_history (line);
      return line;
    }
  fputs (prompt, stdout);
  fflush (stdout);
  ssize_t n = getline (&line, &size, stdin);
  if (n < 0)
    {
      free (line);
      return NULL;
    }
  line[strcspn (line, "\r\n")] = '\0';
  return line;
}

void
input_end (void)
{
  if (input.history)
    {
      make_folders (input.history);
      write_history (input.history);
    }
  free (input.history);
  input.history = NULL;
}
