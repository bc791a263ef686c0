/* grows.cc: a template of a system header, out of line, that program code is inlined into
   and that calls a library.  */

#include <cstdio>
#include <vector>
static int moves;
struct item
{
  int value;
  explicit item (int n) : value (n) {}
  item (item &&other) noexcept : value (other.value) { moves++; }
};
__attribute__ ((noinline)) static void
fill (std::vector<item> &items)
{
  for (int i = 0; i < 9; i++)
    items.push_back (item (i));
}
int
main ()
{
  std::vector<item> items;
  fill (items);
  std::printf ("%zu %d\n", items.size (), moves);
}
