/* graft_pages.c: the pages that puns lead to, in a process.  */

#include "graft.h"

enum { PAGE = 4096 };

int
lp_graft_unmap_pages (const lp_text *text, lp_process *proc, pid_t tid,
		      lp_error *err)
{
  int bad = 0;
  for (size_t i = 0; i < text->pages.n; i++)
    if (text->pages.v[i].mapped)
      bad |= lp_unmap_shared (proc, tid, NULL, text->pages.v[i].addr, PAGE, err);
  return bad ? -1 : 0;
}

int
lp_graft_map_pages (lp_text *text, lp_process *proc, lp_error *err)
{
  pid_t tid = lp_process_able (proc);
  for (size_t i = 0; i < text->pages.n; i++)
    {
      lp_page *page = &text->pages.v[i];
      if (lp_map_page (proc, tid, page->addr, page->bytes, err))
	{
	  lp_graft_unmap_pages (text, proc, tid, NULL);
	  while (i-- > 0)
	    text->pages.v[i].mapped = false;
	  return -1;
	}
      page->mapped = true;
    }
  return 0;
}
