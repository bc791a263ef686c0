# lapack.sh: the reference BLAS and LAPACK in double precision: Fortran, all its own
# tests of the BLAS and of the linear equations.

# shellcheck shell=bash disable=SC2034,SC2154
package=lapack
images="BLAS/TESTING/xblat1d BLAS/TESTING/xblat2d BLAS/TESTING/xblat3d TESTING/LIN/xlintstd"
needs=gfortran
limit=600

build ()
{
  sed -e 's/^FFLAGS = .*/FFLAGS = -O2 -g -frecursive/' \
    -e 's/^FFLAGS_NOOPT = .*/FFLAGS_NOOPT = -O0 -g -frecursive/' \
    -e 's/^CFLAGS = .*/CFLAGS = -O2 -g/' make.inc.example >make.inc
  for part in BLAS/SRC BLAS/TESTING SRC TESTING/MATGEN TESTING/LIN
  do make -s -j2 -C $part double || return
  done
}

suite ()
{
  cd BLAS/TESTING || return
  $RUN ./xblat1d
  for level in 2 3
  do
    $RUN ./xblat${level}d <dblat$level.in
    cat dblat$level.out
  done
  cd ../../TESTING || return
  $RUN LIN/xlintstd <dtest.in
}

normalize ()
{
  sed '/Total time used/d'
}

tests_run ()
{
  awk '/tests run\)|PASSED THE COMPUTATIONAL TESTS/ {
      n += match ($0, /[0-9]+ (tests run|CALLS)/) ? substr ($0, RSTART) : 0 }
    /----- PASS -----/ { n++ }
    END { print n + 0 }' "$1"
}
