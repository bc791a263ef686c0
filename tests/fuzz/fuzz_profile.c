/* fuzz_profile.c: libFuzzer's target for the loader of profiles.  What loads is
   merged, written by each writer, saved, and loaded again.  */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/profile.h"
#include "report/report.h"

static const char saved[] = "/tmp/lineprof-fuzz-profile";

static void
use (lp_profile *profile)
{
  static const char *const writers[] = { "text", "csv", "json" };
  lp_error e = { 0 };
  lp_report_options options = { .top = 10 };
  FILE *out = fopen ("/dev/null", "w");
  for (size_t i = 0; i < sizeof writers / sizeof *writers && out; i++)
    lp_report_write (writers[i], profile, &options, out, &e);
  if (out)
    fclose (out);
}

/* What was loaded can be saved and loaded again.  */
static void
round_trip (const lp_profile *profile)
{
  char path[sizeof saved + 16];
  lp_error e = { 0 };
  snprintf (path, sizeof path, "%s.%d", saved, (int) getpid ());
  if (lp_profile_save (profile, path, &e))
    return;
  lp_profile *again = lp_profile_load (path, &e);
  if (!again)
    {
      fprintf (stderr, "what was saved does not load: %s\n", e.text);
      abort ();
    }
  lp_profile_free (again);
  unlink (path);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char path[64];
  lp_error e = { 0 };
  int fd = memfd_create ("fuzz", 0);
  if (fd < 0 || write (fd, data, size) != (ssize_t) size)
    err (1, "memfd");
  snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  lp_profile *profile = lp_profile_load (path, &e);
  if (profile)
    {
      lp_profile *other = lp_profile_load (path, &e);
      if (other)
	lp_profile_merge (profile, other, &e);
      lp_profile_free (other);
      use (profile);
      round_trip (profile);
      lp_profile_free (profile);
    }
  else if (!e.code || !e.text[0] || strchr (e.text, '\n'))
    {
      fprintf (stderr, "refused without a line that says why\n");
      abort ();
    }
  close (fd);
  return 0;
}
