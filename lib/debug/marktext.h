/* marktext.h: what the source says of a mark's function.  */

#ifndef LP_DEBUG_MARKTEXT_H
#define LP_DEBUG_MARKTEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Is there, in the source PATH, the end of a declaration or of a body between the
   mark in line MARK and line FOUND, where a function with code begins?  Then the
   mark is about another.  Where the source cannot be read, a function that
   begins more than a few lines below the mark is another.  */
bool lp_marks_another (const char *path, uint32_t mark, uint32_t found);

#endif
