/* server.c: libdebuginfod, loaded only where it is wanted: with it come an HTTP
   client and what that needs.  */

#include "debug/server.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

/* Of <elfutils/debuginfod.h>; a build-id of length 0 is one in hexadecimal.  */
static struct
{
  void *(*begin) (void);
  int (*find_debuginfo) (void *client, const unsigned char *build_id,
			 int length, char **path);
  void (*end) (void *client);
} lib;

int
lp_server_use (lp_error *err)
{
  const char *urls = getenv ("DEBUGINFOD_URLS");
  if (!urls || !*urls)
    return lp_fail (err, LP_EUNSUPPORTED, "--debuginfod: the variable"
		    " DEBUGINFOD_URLS is not set; set it to the address of a server,"
		    " as https://debuginfod.debian.net");
  void *library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library)
    {
      lib.begin = (void *(*) (void)) dlsym (library, "debuginfod_begin");
      lib.find_debuginfo = (int (*) (void *, const unsigned char *, int, char **))
	dlsym (library, "debuginfod_find_debuginfo");
      lib.end = (void (*) (void *)) dlsym (library, "debuginfod_end");
    }
  if (lib.begin && lib.find_debuginfo && lib.end)
    return 0;
  lib.begin = NULL;
  return lp_fail (err, LP_EUNSUPPORTED, "--debuginfod needs %s, which cannot be"
		  " loaded; install it (Debian: libdebuginfod1)", LIBRARY);
}

char *
lp_server_find (const char *build_id)
{
  char *path = NULL;
  void *client = lib.begin && *build_id ? lib.begin () : NULL;
  if (!client)
    return NULL;
  int fd = lib.find_debuginfo (client, (const unsigned char *) build_id, 0,
			       &path);
  if (fd >= 0)
    close (fd);
  lib.end (client);
  return fd >= 0 ? path : NULL;
}
