/* shapes.cc: templates, member functions, lambdas.

     c++ -g shapes.cc -o shapes
     kernprof -l -v ./shapes  */

#include <lineprof.h>

#include <cstdio>
#include <vector>

class box
{
  double wide, high;

public:
  box (double w, double h) : wide (w), high (h) {}

  PROFILE_MEMBER_FN
  double
  area () const
  {
    if (wide < 0 || high < 0)
      return 0;
    return wide * high;
  }
};

PROFILE_FN
template <typename T>
T
sum_of (const std::vector<box> &boxes)
{
  T sum = 0;
  for (const auto &b : boxes)
    sum += b.area ();
  return sum;
}

int
main ()
{
  std::vector<box> boxes (100, box (2, 3));
  boxes.push_back (box (-1, 1));
  std::printf ("%d %g\n", sum_of<int> (boxes), sum_of<double> (boxes));
  return 0;
}
