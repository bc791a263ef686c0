! langs.f90: module and internal procedures, upper and lower case, loops, select, where.
module shapes
  implicit none
  interface area
    module procedure square_area, box_area
  end interface
  type :: counter
    integer :: n = 0
  contains
    procedure :: bump
  end type
contains
  function square_area (side) result (a)
    real, intent (in) :: side
    real :: a
    a = side * side
  end function
  function box_area (w, h) result (a)
    real, intent (in) :: w, h
    real :: a
    a = w * h
  end function
  subroutine Bump (self, by)
    class (counter), intent (inout) :: self
    integer, intent (in) :: by
    integer :: i
    do i = 1, by
      self%n = self%n + twice (i)
    end do
  contains
    integer function twice (k)
      integer, intent (in) :: k
      twice = 2 * k
    end function
  end subroutine
end module

module numbers
contains
  recursive integer function fib (n) result (r)
    integer, intent (in) :: n
    if (n < 2) then
      r = n
    else
      r = fib (n - 1) + fib (n - 2)
    end if
  end function
  pure elemental integer function halve (n)
    integer, intent (in) :: n
    halve = n / 2
  end function
end module

integer function collatz (start)
  integer, intent (in) :: start
  integer :: n
  n = start
  collatz = 0
  do while (n /= 1)
    if (mod (n, 2) == 0) then
      n = n / 2
    else
      n = 3 * n + 1
    end if
    collatz = collatz + 1
  end do
end function

subroutine choose (n, word)
  integer, intent (in) :: n
  character (len=*), intent (out) :: word
  select case (n)
  case (0)
    word = "none"
  case (1:3)
    word = "few"
  case default
    word = "many"
  end select
end subroutine

program demo
  use shapes
  use numbers
  implicit none
  integer, external :: collatz
  type (counter) :: c
  integer :: i, table(4)
  character (len=8) :: word
  real :: total = 0
  do i = 1, 3
    total = total + area (real (i))
    total = total + area (real (i), 2.0)
  end do
  call c%bump (4)
  print *, total, c%n, fib (6), collatz (6)
  table = halve ([2, 4, 6, 8])
  outer: do i = 1, 4
    if (table(i) == 2) cycle outer
    if (table(i) == 4) exit outer
    call choose (table(i), word)
    print *, word
  end do outer
  where (table > 2) table = 0
  print *, sum (table), show (3)
contains
  integer function show (n)
    integer, intent (in) :: n
    show = n + 1
  end function
end program
