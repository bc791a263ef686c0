/* t_terminal.c: a program on a terminal.  It says what it sees of it, reads lines, and
   does what they say.  argv[1]: raw, to read bytes; catch, to handle SIGINT.  */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts, resized, continued;

static void
on_signal (int sig)
{
  if (sig == SIGINT)
    interrupts++;
  else if (sig == SIGWINCH)
    resized++;
  else
    continued++;
}

static void
handle (int sig)
{
  struct sigaction action = { .sa_handler = on_signal };
  sigset_t set;
  sigaction (sig, &action, NULL);
  sigemptyset (&set);
  if (sig != SIGINT)
    sigaddset (&set, sig);
  sigprocmask (SIG_BLOCK, &set, NULL);
}

static const char *
place (void)
{
  return tcgetpgrp (0) == getpgrp () ? "foreground" : "background";
}

/* The handlers interrupt it.  */
static void
say (const char *text)
{
  size_t n = strlen (text);
  ssize_t r;
  while (n > 0 && ((r = write (1, text, n)) > 0 || errno == EINTR))
    if (r > 0)
      text += r, n -= r;
}

static void
tell (const char *what)
{
  char text[100];
  struct winsize size = { 0 };
  ioctl (0, TIOCGWINSZ, &size);
  snprintf (text, sizeof text, "%s %dx%d %s\n", what, size.ws_row, size.ws_col,
	    place ());
  say (text);
}

static void
tell_news (void)
{
  if (continued)
    say (tcgetpgrp (0) == getpgrp () ? "continued foreground\n"
	 : "continued background\n");
  if (resized)
    tell ("size");
  continued = resized = 0;
}

/* One byte, as the terminal gives it.  */
static int
read_raw (void)
{
  struct termios old, raw;
  unsigned char c = 0;
  tcgetattr (0, &old);
  raw = old;
  raw.c_iflag &= ~(BRKINT | ICRNL | IXON);
  raw.c_lflag &= ~(ECHO | ICANON | ISIG);
  tcsetattr (0, TCSANOW, &raw);
  tell ("raw");
  ssize_t n = read (0, &c, 1);
  tcsetattr (0, TCSANOW, &old);
  printf ("%d byte: %d\n", (int) n, c);
  return 4;
}

/* News are handled here alone, so that none is missed.  In the background only a
   read is stopped.  */
static ssize_t
next_byte (char *c)
{
  sigset_t none;
  struct pollfd in = { .fd = 0, .events = POLLIN };
  sigemptyset (&none);
  return tcgetpgrp (0) == getpgrp () && ppoll (&in, 1, NULL, &none) < 0
	 ? -1 : read (0, c, 1);
}

static int
talk (void)
{
  char line[256], text[300];
  size_t n = 0;
  for (;;)
    {
      ssize_t r = next_byte (line + n);
      if (r < 0 && errno == EINTR)
	tell_news ();
      else if (r <= 0)
	return 5;
      else if (line[n] != '\n')
	n += n < sizeof line - 1;
      else
	{
	  line[n] = '\0';
	  n = 0;
	  snprintf (text, sizeof text, "got %s, %d interrupts\n", line,
		    (int) interrupts);
	  say (text);
	  if (!strcmp (line, "quit"))
	    return 3;
	}
    }
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  handle (SIGWINCH);
  handle (SIGCONT);
  if (!strcmp (how, "catch"))
    handle (SIGINT);
  if (!strcmp (how, "raw"))
    return read_raw ();
  tell ("ready");
  return talk ();
}
