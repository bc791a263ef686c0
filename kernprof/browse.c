/* browse.c: kernprof stats -i, the commands of pstats' browser.  */

#define _GNU_SOURCE

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "kernprof.h"
#include "stats.h"

enum { MAX_WORDS = 64 };

struct browser
{
  lp_stats *stats;		/* or NULL */
  char *path;			/* what `read' reads again, or NULL */
  bool done;
};

struct verb
{
  const char *name;
  void (*run) (struct browser *b, char *argument);
  bool needs_stats;
  const char *help;
};

static const struct verb commands[];

/* ARGUMENT cut into WORDS; their number.  */
static size_t
cut (char *argument, const char *words[MAX_WORDS])
{
  size_t n = 0;
  char *rest;
  for (char *word = strtok_r (argument, " \t", &rest); word && n < MAX_WORDS;
       word = strtok_r (NULL, " \t", &rest))
    words[n++] = word;
  return n;
}

static void
complain (const lp_error *err)
{
  puts (err->text);
}

static void
do_read (struct browser *b, char *argument)
{
  lp_error err;
  const char *path = *argument ? argument : b->path;
  if (!path)
    {
      puts ("No statistics object is current -- cannot reload.");
      return;
    }
  lp_stats *stats = lp_stats_new (&err);
  char *kept = strdup (path);
  if (!stats || !kept || stats_add_file (stats, path, &err))
    {
      complain (&err);
      lp_stats_free (stats);
      free (kept);
      return;
    }
  lp_stats_free (b->stats);
  free (b->path);
  b->stats = stats;
  b->path = kept;
}

static void
do_add (struct browser *b, char *argument)
{
  lp_error err;
  if (stats_add_file (b->stats, argument, &err))
    printf ("Failed to load statistics for %s: %s\n", argument, err.text);
}

static void
print (struct browser *b, char *argument, enum lp_stats_what what)
{
  lp_error err;
  double value;
  const char *words[MAX_WORDS];
  size_t n = cut (argument, words), kept = 0;
  for (size_t i = 0; i < n; i++)
    if (lp_stats_restriction (words[i], &value) == LP_RESTRICT_BAD_SHARE)
      puts ("Fraction argument must be in [0, 1]");
    else
      words[kept++] = words[i];
  if (lp_stats_write (b->stats, what, words, kept, stdout, &err))
    complain (&err);
}

static void
do_stats (struct browser *b, char *argument)
{
  print (b, argument, LP_STATS_TABLE);
}

static void
do_callers (struct browser *b, char *argument)
{
  print (b, argument, LP_STATS_CALLERS);
}

static void
do_callees (struct browser *b, char *argument)
{
  print (b, argument, LP_STATS_CALLEES);
}

static void
do_sort (struct browser *b, char *argument)
{
  lp_error err;
  const char *words[MAX_WORDS];
  size_t n = cut (argument, words), good = 0;
  while (good < n && lp_stats_is_key (words[good]))
    good++;
  if (n && good == n)
    {
      if (lp_stats_sort (b->stats, words, n, &err))
	complain (&err);
      return;
    }
  puts ("Valid sort keys (unique prefixes are accepted):");
  for (const lp_sort_key *key = lp_sort_keys; key->name; key++)
    printf ("%s -- %s\n", key->name, key->title);
}

static void
do_reverse (struct browser *b, char *argument)
{
  (void) argument;
  lp_stats_reverse (b->stats);
}

static void
do_strip (struct browser *b, char *argument)
{
  lp_error err;
  (void) argument;
  if (lp_stats_strip_dirs (b->stats, &err))
    complain (&err);
}

static void
do_quit (struct browser *b, char *argument)
{
  (void) argument;
  b->done = true;
}

static void
do_eof (struct browser *b, char *argument)
{
  (void) argument;
  puts ("");
  b->done = true;
}

static const struct verb *
find (const char *name, size_t n)
{
  for (const struct verb *c = commands; c->name; c++)
    if (strncmp (c->name, name, n) == 0 && !c->name[n])
      return c;
  return NULL;
}

/* As Python's cmd module lists them.  */
static void
list_commands (void)
{
  static const char title[] = "Documented commands (type help <topic>):";
  printf ("\n%s\n", title);
  for (size_t n = strlen (title); n; n--)
    putchar ('=');
  const char *before = "\n";
  for (const struct verb *c = commands; c->name; c++, before = "  ")
    printf ("%s%s", before, c->name);
  puts ("\n");
}

static void
do_help (struct browser *b, char *argument)
{
  (void) b;
  const struct verb *about = find (argument, strlen (argument));
  if (*argument && about)
    puts (about->help);
  else if (*argument)
    printf ("*** No help on %s\n", argument);
  else
    list_commands ();
}

#define RESTRICTIONS							\
  "\nArguments may be:\n"						\
  "* An integer maximum number of entries to print.\n"			\
  "* A decimal fractional number between 0 and 1, controlling\n"	\
  "  what fraction of selected entries to print.\n"			\
  "* A regular expression; only entries with function names\n"		\
  "  that match it are printed."

static const struct verb commands[] = {
  { "EOF", do_eof, false, "Leave the profile browser." },
  { "add", do_add, true,
    "Add profile info from given file to current statistics object." },
  { "callees", do_callees, true,
    "Print callees statistics from the current stat object." RESTRICTIONS },
  { "callers", do_callers, true,
    "Print callers statistics from the current stat object." RESTRICTIONS },
  { "help", do_help, false, "Show help for a given command." },
  { "quit", do_quit, false, "Leave the profile browser." },
  { "read", do_read, false,
    "Read in profile data from a specified file.\n"
    "Without argument, reload the current file." },
  { "reverse", do_reverse, true,
    "Reverse the sort order of the profiling report." },
  { "sort", do_sort, true,
    "Sort profile data according to specified keys.\n"
    "(Typing `sort' without arguments lists valid keys.)" },
  { "stats", do_stats, true,
    "Print statistics from the current stat object." RESTRICTIONS },
  { "strip", do_strip, true,
    "Strip leading path information from filenames in the report." },
  { NULL, NULL, false, NULL }
};

/* For completion: commands at the start and behind `help', sort keys behind
   `sort', files behind `read' and `add', nothing behind the others.  */
static const char *const *
words_at (const char *line, int start)
{
  static const char *names[sizeof commands / sizeof *commands];
  static const char *keys[32], *const none[] = { NULL };
  size_t n = 0;
  while (isspace ((unsigned char) *line) && start > 0)
    line++, start--;
  size_t first = strcspn (line, " \t");
  bool command = start == 0 || strncmp (line, "help", first) == 0;
  if (command)
    {
      for (const struct verb *c = commands; c->name; c++)
	names[n++] = c->name;
      return names;
    }
  if (first == 4 && strncmp (line, "sort", 4) == 0)
    {
      for (const lp_sort_key *key = lp_sort_keys; key->name; key++)
	keys[n++] = key->name;
      keys[n] = NULL;
      return keys;
    }
  return strncmp (line, "read", first) && strncmp (line, "add", first) ? none
	 : NULL;
}

/* LINE without blanks at its ends; a question mark means help.  */
static char *
trim (char *line)
{
  while (isspace ((unsigned char) *line))
    line++;
  size_t n = strlen (line);
  while (n && isspace ((unsigned char) line[n - 1]))
    n--;
  line[n] = '\0';
  return line;
}

static void
obey (struct browser *b, char *line)
{
  size_t n = *line == '?' ? 1 : strspn (line, "abcdefghijklmnopqrstuvwxyz"
					"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  const struct verb *c = *line == '?' ? find ("help", 4) : find (line, n);
  if (!c || n == 0)
    printf ("*** Unknown syntax: %s\n", line);
  else if (c->needs_stats && !b->stats)
    puts ("No statistics object is loaded.");
  else
    c->run (b, trim (line + n));
}

/* An empty line repeats the last one.  */
static void
read_commands (struct browser *b)
{
  char *last = NULL;
  while (!b->done)
    {
      char *prompt = NULL, *line = NULL;
      if (asprintf (&prompt, "%s%% ", b->path ? b->path : "") >= 0)
	line = input_line (prompt);
      free (prompt);
      if (!line && !(line = strdup ("EOF")))
	break;
      char *text = trim (line);
      if (*text)
	{
	  free (last);
	  last = strdup (text);
	}
      else if (last)
	{
	  free (line);
	  text = line = strdup (last);
	}
      if (text && *text)
	obey (b, text);
      free (line);
      fflush (stdout);
    }
  free (last);
}

int
stats_browse (char **files)
{
  struct browser b = { 0 };
  if (*files)
    do_read (&b, *files++);
  for (; *files; files++)
    if (b.stats)
      do_add (&b, *files);
    else
      puts ("No statistics object is loaded.");
  puts ("Welcome to the profile statistics browser.");
  input_start (words_at);
  read_commands (&b);
  input_end ();
  puts ("Goodbye.");
  lp_stats_free (b.stats);
  free (b.path);
  return fflush (stdout) || ferror (stdout) ? STATUS_BAD_INPUT : 0;
}
