/* arena.c: chunks of storage in a list, and an open-addressing table of the
   strings that were interned.  */

#include "base/arena.h"
#include "base/error.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 * 1024, FIRST_SLOTS = 256 };

struct chunk
{
  struct chunk *next;
  alignas (max_align_t) char bytes[];
};

struct lp_arena
{
  struct chunk *chunks;
  char *free, *end;
  const char **slots;
  size_t nslots, nused;
};

lp_arena *
lp_arena_new (void)
{
  return calloc (1, sizeof (lp_arena));
}

void
lp_arena_free (lp_arena *arena)
{
  if (!arena)
    return;
  for (struct chunk *c = arena->chunks, *next; c; c = next)
    {
      next = c->next;
      free (c);
    }
  free (arena->slots);
  free (arena);
}

/* A chunk of its own for N bytes; the current one stays in use when N is big.  */
static char *
add_chunk (lp_arena *arena, size_t n)
{
  size_t size = n > CHUNK / 4 ? n : CHUNK;
  struct chunk *c = calloc (1, sizeof *c + size);
  if (!c)
    {
      lp_nomem (NULL);
      return NULL;
    }
  c->next = arena->chunks;
  arena->chunks = c;
  if (size == CHUNK)
    {
      arena->free = c->bytes + n;
      arena->end = c->bytes + size;
    }
  return c->bytes;
}

void *
lp_arena_alloc (lp_arena *arena, size_t n)
{
  const size_t align = alignof (max_align_t);
  if (n > SIZE_MAX / 2)
    return NULL;
  n = n ? (n + align - 1) / align * align : align;
  if ((size_t) (arena->end - arena->free) < n)
    return add_chunk (arena, n);
  char *p = arena->free;
  arena->free += n;
  return p;
}

char *
lp_arena_copy (lp_arena *arena, const char *s, size_t n)
{
  char *copy = lp_arena_alloc (arena, n + 1);
  if (copy)
    memcpy (copy, s, n);
  return copy;
}

/* As FNV-1a, but by eight bytes: demangled names have hundreds.  */
static uint64_t
hash (const char *s)
{
  uint64_t h = 0xcbf29ce484222325u, word;
  size_t n = strlen (s);
  for (; n; s += n < sizeof word ? n : sizeof word,
	    n -= n < sizeof word ? n : sizeof word)
    {
      word = 0;
      memcpy (&word, s, n < sizeof word ? n : sizeof word);
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
    }
  return h;
}

/* The slot of S: where it is, or the free one where it belongs.  */
static const char **
find_slot (const char **slots, size_t nslots, const char *s)
{
  size_t i = hash (s) & (nslots - 1);
  while (slots[i] && strcmp (slots[i], s) != 0)
    i = (i + 1) & (nslots - 1);
  return &slots[i];
}

static int
grow_slots (lp_arena *arena)
{
  size_t nslots = arena->nslots ? arena->nslots * 2 : FIRST_SLOTS;
  const char **slots = calloc (nslots, sizeof *slots);
  if (!slots)
    return lp_nomem (NULL);
  for (size_t i = 0; i < arena->nslots; i++)
    if (arena->slots[i])
      *find_slot (slots, nslots, arena->slots[i]) = arena->slots[i];
  free (arena->slots);
  arena->slots = slots;
  arena->nslots = nslots;
  return 0;
}

const char *
lp_arena_intern (lp_arena *arena, const char *s)
{
  if (arena->nused * 2 >= arena->nslots && grow_slots (arena))
    return NULL;
  const char **slot = find_slot (arena->slots, arena->nslots, s);
  if (!*slot)
    {
      *slot = lp_arena_copy (arena, s, strlen (s));
      arena->nused += *slot != NULL;
    }
  return *slot;
}
