/* marker.c: leaves the file `ran' behind, so that a test sees that it ran.  */

#include <fcntl.h>
#include <unistd.h>

static int
leave_marker (const char *name)
{
  return open (name, O_CREAT | O_WRONLY, 0600);
}

int
main (void)
{
  return leave_marker ("ran") < 0;
}
