# python.sh: a fixed list of the modules of CPython's test suite, in one process.

# shellcheck shell=bash disable=SC2034
package=python3.11
images="python"
limit=3600

build ()
{
  ./configure --without-ensurepip && make -j2
}

modules="test___future__ test__opcode test_abc test_abstract_numbers test_atexit
test_augassign test_binop test_bool test_class test_colorsys test_compare
test_complex test_contains test_context test_copyreg test_decorators
test_defaultdict test_descrtut test_dict test_dictviews test_dynamic test_errno
test_exception_group test_exception_hierarchy test_exception_variations
test_except_star test_fnmatch test_format test_frame test_funcattrs test_genexps
test_getopt test_global test_graphlib test_hash test_index test_int_literal
test_isinstance test_iter test_keyword test_keywordonlyarg test_linecache
test_listcomps test_named_expressions test_numeric_tower
test_opcodes test_operator test_pow test_print test_property test_reprlib
test_richcmp test_scope test_setcomps test_slice test_string test_super
test_syntax test_textwrap test_types test_unary test_unpack test_unpack_ex
test_with test_yield_from"

suite ()
{
  # shellcheck disable=SC2086 # words
  PYTHONHASHSEED=1 $RUN ./python -E -m test -v $modules
}

tests_run ()
{
  grep -cE '\.\.\. ' "$1"
}

# Times, loads, seeds and the places of things in memory.
normalize ()
{
  sed -E -e '/load avg|^Total duration|^== (CPU|host|cwd|platform)|^Using random seed/d' \
    -e 's/in [0-9.]+( ?(s|sec|seconds|ms))?/in TIME/g' -e 's/0x[0-9a-f]{6,}/ADDRESS/g' \
    -e 's/test_python_[0-9]+/test_python/g'
}
